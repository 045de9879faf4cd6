/** Sanitizes names from callers for images, pages and emails: one line, limited length, no invisible characters. */
import { truncate } from '../../../kernel/text-length.js';

/**
 * Line breaks, control characters, lone surrogates, bidirectional controls and other invisible characters, including
 * everything that XML cannot contain.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e007f}]/gu;
/** More combining marks on one letter than any script needs. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
/** Input characters read per character shown. */
const MAX_INPUT_RATIO = 8;

/**
 * Returns the text on one line.
 * @param maxLength maximum number of characters (code points); longer text ends with an ellipsis.
 */
export function sanitizeText(text: string, maxLength: number): string {
  const beginning = truncate(text, maxLength * MAX_INPUT_RATIO);
  const clean = beginning.replace(INVISIBLE, ' ').replace(PILED_MARKS, '$1').replace(/\s+/gu, ' ').trim();
  return withEllipsis(clean, maxLength, beginning.length < text.length);
}

function withEllipsis(text: string, maxLength: number, isTruncated: boolean): string {
  const characters = [...text];
  if (characters.length <= maxLength && !isTruncated) return text;
  return `${characters
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`;
}
