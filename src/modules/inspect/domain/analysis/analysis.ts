/**
 * The result of the content check: the rendered message, the position of each of its parts in the author's source, and
 * the findings in both. Later checks work on it. All of it can be cloned between threads.
 */
import type { TemplateLanguage } from '../../../../language/language.js';
import type { RuleFinding } from '../findings/finding.js';

/** The content to inspect. Subject and preheader are the template's own, or those that the caller gives. */
export interface InspectedContent {
  readonly subject: string | null;
  readonly bodyHtml: string;
  readonly bodyText: string;
  readonly templateLanguage: TemplateLanguage | null;
  /** The template's own subject, if the caller gave another. */
  readonly ownSubject?: string | null;
}

/** A message rendered with a contact's data or sample values. */
export interface RenderedMessage {
  /** Null if there is none. */
  readonly subject: string | null;
  readonly html: string;
  readonly text: string;
}

/**
 * Maps rendered HTML to the source: pieces in the order of the HTML, each starting at the offset `rendered`. `source`
 * is the matching offset in the stored body. In `isText` pieces, both advance together; other pieces are values, which
 * map to the position of their expression.
 */
export interface SourcePiece {
  readonly rendered: number;
  readonly source: number;
  readonly isText: boolean;
}

/** A link or an image of the rendered message; positions are offsets in the stored body. */
export interface Resource {
  readonly kind: 'link' | 'image';
  /** An absolute http or https address. */
  readonly address: string;
  readonly at: number;
  readonly until: number;
}

export interface Analysis {
  /** Null if the message does not render: a finding says why. */
  readonly message: RenderedMessage | null;
  readonly pieces: readonly SourcePiece[];
  readonly findings: readonly RuleFinding[];
  /** Each element once, in the order of the message, at most MAX_RESOURCES. */
  readonly resources: readonly Resource[];
  /** Whether there were more. */
  readonly resourcesTruncated: boolean;
  /** The number of findings beyond the limit of one check. */
  readonly findingsOmitted: number;
  /** Bytes that delivery adds to the HTML. */
  readonly addedBytes: number;
}

export const MAX_RESOURCES = 5_000;
