/** What templates of other platforms are converted from, and what is told of what has no counterpart. */

/**
 * `mailchimp`: merge tags (`*|FNAME|*`), Mandrill's too. `klaviyo`: its template tags, which are Django's. `liquid`:
 * Customer.io, Braze, OneSignal and whatever else speaks Liquid.
 */
export const FOREIGN_SOURCES = ['mailchimp', 'klaviyo', 'liquid'] as const;
export type ForeignSource = (typeof FOREIGN_SOURCES)[number];

/** What happened to a block; what stands in its place is told in the message. */
export const FOREIGN_WARNING_CODES = [
  /** Nothing of Waypost's says the same: a placeholder stands there, and the template is not sent until it is gone. */
  'no_counterpart',
  /** The block does not parse: a placeholder stands there. */
  'unreadable',
  /** The template is larger, or nested deeper, than what is converted: a placeholder stands there. */
  'beyond_bounds',
  /** Converted into what is nearly the same; the message tells the difference. */
  'approximated',
  /** Taken out, since the footer of promotional mail gives it. */
  'given_by_footer',
  /** Taken out, since Waypost has nothing like it and a message is whole without. */
  'left_out',
  /** A text that would have been read as an expression; its brace is written so that it stays a text. */
  'kept_as_text',
] as const;
export type ForeignWarningCode = (typeof FOREIGN_WARNING_CODES)[number];

export const FOREIGN_FIELDS = ['subject', 'body'] as const;
export type ForeignField = (typeof FOREIGN_FIELDS)[number];

/** `line` and `column` count from 1, `offset` from 0, in UTF-16 units of the source; `original` is cut when it is long. */
export interface ForeignWarning {
  readonly field: ForeignField;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly code: ForeignWarningCode;
  readonly message: string;
  readonly original: string;
}

/** What NLT is put in at one place: texts and whole expressions. */
export interface Piece {
  readonly kind: 'text' | 'nlt';
  readonly text: string;
}

/** One text of a template as NLT. */
export interface ForeignText {
  readonly content: string;
  /** What `content` is put together of, before anything is written so that it stays text. */
  readonly pieces: readonly Piece[];
  /** How deep its conditions and loops nest. */
  readonly depth: number;
  readonly warnings: readonly ForeignWarning[];
}
