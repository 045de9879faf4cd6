/** The supported source platforms, and the warnings for expressions without a counterpart. */

/**
 * `mailchimp`: merge tags (`*|FNAME|*`), including Mandrill's. `klaviyo`: its template tags, which are Django's.
 * `liquid`: Customer.io, Braze, OneSignal and any other platform that uses Liquid.
 */
export const FOREIGN_SOURCES = ['mailchimp', 'klaviyo', 'liquid'] as const;
export type ForeignSource = (typeof FOREIGN_SOURCES)[number];

/** What happened to a block; the message says what replaced it. */
export const FOREIGN_WARNING_CODES = [
  /**
   * Waypost has no equivalent: a placeholder replaces it, and the template is not sent until the placeholder is gone.
   */
  'no_counterpart',
  /** The block does not parse: a placeholder replaces it. */
  'unreadable',
  /** The template exceeds the size or nesting that is converted: a placeholder replaces it. */
  'beyond_bounds',
  /** Converted to something nearly the same; the message explains the difference. */
  'approximated',
  /** Removed, since the footer of promotional mail provides it. */
  'given_by_footer',
  /** Removed, since Waypost has no equivalent and a message does not need it. */
  'left_out',
  /** A text that would have been parsed as an expression; its brace is escaped so that it stays text. */
  'kept_as_text',
] as const;
export type ForeignWarningCode = (typeof FOREIGN_WARNING_CODES)[number];

export const FOREIGN_FIELDS = ['subject', 'body'] as const;
export type ForeignField = (typeof FOREIGN_FIELDS)[number];

/** `line` and `column` count from 1, `offset` from 0, in UTF-16 units of the source; a long `original` is truncated. */
export interface ForeignWarning {
  readonly field: ForeignField;
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly code: ForeignWarningCode;
  readonly message: string;
  readonly original: string;
}

/** A piece of the NLT that replaces a block: a text or a whole expression. */
export interface Piece {
  readonly kind: 'text' | 'nlt';
  readonly text: string;
}

/** One text of a template, converted to NLT. */
export interface ForeignText {
  readonly content: string;
  /** The pieces of `content`, before escaping keeps any of them text. */
  readonly pieces: readonly Piece[];
  /** The nesting depth of its conditions and loops. */
  readonly depth: number;
  readonly warnings: readonly ForeignWarning[];
}
