/**
 * Where comments and their like end, as the tokenizer of the HTML standard reads them: a comment is closed by `-->` and
 * `--!>`, and at once by `<!-->` and `<!--->`; a section `<![CDATA[` by `]]>`.
 */

/** How much of its end a comment has behind it; `start` is right behind `<!--`. */
export type CommentEnd = 'start' | 'start -' | '' | '-' | '--' | '--!';

const AFTER: Readonly<Record<CommentEnd, Readonly<Record<string, CommentEnd | 'closed'>>>> = {
  start: { '-': 'start -', '>': 'closed' },
  'start -': { '-': '--', '>': 'closed' },
  '': { '-': '-' },
  '-': { '-': '--' },
  '--': { '-': '--', '!': '--!', '>': 'closed' },
  '--!': { '-': '-', '>': 'closed' },
};

/** A comment behind one more character. */
export function commentAfter(end: CommentEnd, character: string): CommentEnd | 'closed' {
  return AFTER[end][character] ?? '';
}

/** Where a value may leave a comment that it stands in: a value has no `>`. */
export const COMMENT_ENDS: readonly CommentEnd[] = ['', '-', '--', '--!'];

/** What behind `<!` opens a comment, and a section where there is one; all else is a comment up to the next `>`. */
export const COMMENT = '--';
export const SECTION = '[CDATA[';

/** Whether what stands behind `<!` may still become such an opening. */
export function isOpening(declared: string): boolean {
  return COMMENT.startsWith(declared) || SECTION.startsWith(declared);
}

/** How many of the brackets that end a section stand behind one more character, two at most. */
export function bracketsAfter(brackets: number, character: string): number {
  return character === ']' ? Math.min(brackets + 1, 2) : 0;
}
