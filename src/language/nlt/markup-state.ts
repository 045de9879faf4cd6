/**
 * Detects the end of comments and similar markup as the tokenizer of the HTML standard does: `-->` and `--!>` close a
 * comment, and `<!-->` and `<!--->` are complete comments; `]]>` closes a section `<![CDATA[`.
 */

/** How much of its end a comment has read; `start` is directly after `<!--`. */
export type CommentEnd = 'start' | 'start -' | '' | '-' | '--' | '--!';

const COMMENT_TRANSITIONS: Readonly<Record<CommentEnd, Readonly<Record<string, CommentEnd | 'closed'>>>> = {
  start: { '-': 'start -', '>': 'closed' },
  'start -': { '-': '--', '>': 'closed' },
  '': { '-': '-' },
  '-': { '-': '--' },
  '--': { '-': '--', '!': '--!', '>': 'closed' },
  '--!': { '-': '-', '>': 'closed' },
};

/** The state of a comment after one more character. */
export function nextCommentEnd(end: CommentEnd, character: string): CommentEnd | 'closed' {
  return COMMENT_TRANSITIONS[end][character] ?? '';
}

/** The states in which a value may end inside a comment: a value has no `>`. */
export const COMMENT_ENDS: readonly CommentEnd[] = ['', '-', '--', '--!'];

/**
 * The text after `<!` that opens a comment, and a section where sections exist; anything else is a comment up to the
 * next `>`.
 */
export const COMMENT_OPENING = '--';
export const SECTION_OPENING = '[CDATA[';

/** Whether the text after `<!` may still become such an opening. */
export function isOpening(declared: string): boolean {
  return COMMENT_OPENING.startsWith(declared) || SECTION_OPENING.startsWith(declared);
}

/** The number of closing brackets of a section after one more character, two at most. */
export function bracketsAfter(brackets: number, character: string): number {
  return character === ']' ? Math.min(brackets + 1, 2) : 0;
}
