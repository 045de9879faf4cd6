/** What an address answered, as far as links and images are judged by it; it is kept for a while as JSON. */
import type { ImageHeader } from './image-header.js';

/** Why an address gave no answer. */
export type FetchFailure =
  | 'refused_private'
  | 'refused_port'
  | 'refused_scheme'
  | 'dns_failed'
  | 'connect_failed'
  | 'tls_failed'
  | 'timeout'
  | 'too_many_redirects'
  | 'bad_answer';

export interface FetchOutcome {
  /** Null where there was an answer. */
  readonly failure: FetchFailure | null;
  /** Of the last answer; null where there was none. */
  readonly status: number | null;
  /** Statuses of the redirects, in their order. */
  readonly redirects: readonly number[];
  /** Whether one of them led from https to http. */
  readonly isDowngraded: boolean;
  /** As `image/png`; null where none, or nothing readable, was said. */
  readonly mediaType: string | null;
  /** What an image brought; null for links, and where there was no image to be had. */
  readonly content: ImageContent | null;
}

export interface ImageContent {
  /** Null for what is no image that is known. */
  readonly header: ImageHeader | null;
  /** As it is sent; of what is longer than MOST_IMAGE_BYTES and does not say how long, that and one. */
  readonly bytes: number;
  /** Whether it begins like a page or another text. */
  readonly isText: boolean;
}

/** Bytes of an image that are read at most. */
export const MOST_IMAGE_BYTES = 1_048_576;

/** The type that a Content-Type names. */
export function mediaTypeOf(contentType: string | undefined): string | null {
  return /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})\s*(;|$)/.exec(contentType ?? '')?.[1]?.toLowerCase() ?? null;
}

/** Whether what is no image is text: none of the control characters that texts do not have. */
export function looksLikeText(bytes: Buffer): boolean {
  const beginning = [...bytes.subarray(0, 512)];
  return beginning.length > 0 && beginning.every((byte) => byte >= 0x1b || (byte >= 0x09 && byte <= 0x0d));
}
