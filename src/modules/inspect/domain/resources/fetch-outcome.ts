/** The answer of an address, reduced to what links and images are judged by; it is stored for a while as JSON. */
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
  /** Null if there was an answer. */
  readonly failure: FetchFailure | null;
  /** Of the last answer; null if there was none. */
  readonly status: number | null;
  /** Statuses of the redirects, in order. */
  readonly redirects: readonly number[];
  /** Whether one of them led from https to http. */
  readonly isDowngraded: boolean;
  /** For example `image/png`; null if missing or malformed. */
  readonly mediaType: string | null;
  /** The content of an image; null for links, and if no content was received. */
  readonly content: ImageContent | null;
}

export interface ImageContent {
  /** Null if it is not an image of a known type. */
  readonly header: ImageHeader | null;
  /** The size as sent. If it exceeds MAX_IMAGE_BYTES and no length was given, MAX_IMAGE_BYTES + 1. */
  readonly bytes: number;
  /** Whether it begins like a page or another text. */
  readonly isText: boolean;
}

/** Maximum number of bytes of an image that are read. */
export const MAX_IMAGE_BYTES = 1_048_576;

/** The media type in a Content-Type. */
export function mediaTypeOf(contentType: string | undefined): string | null {
  return /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})\s*(;|$)/.exec(contentType ?? '')?.[1]?.toLowerCase() ?? null;
}

/** Whether data that is not an image is text: it has none of the control characters that texts do not contain. */
export function looksLikeText(bytes: Buffer): boolean {
  const beginning = [...bytes.subarray(0, 512)];
  return beginning.length > 0 && beginning.every((byte) => byte >= 0x1b || (byte >= 0x09 && byte <= 0x0d));
}
