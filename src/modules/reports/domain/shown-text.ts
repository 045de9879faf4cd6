/** Names that callers have given, fit to stand in a picture, a page or a mail: on one line, of bounded length, and hiding nothing. */
import { beginningOf } from '../../../kernel/text-length.js';

/** Breaks, controls, halves of pairs, and marks that turn the direction of text or hide in it; what XML cannot hold is among them. */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e007f}]/gu;
/** Marks above and below a letter beyond any writing's need. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
/** So much of a text is looked at for each character that is shown. */
const LOOKED_AT = 8;

/**
 * The text on one line.
 * @param most characters (code points) at most; what is longer ends with an ellipsis.
 */
export function shownText(text: string, most: number): string {
  const beginning = beginningOf(text, most * LOOKED_AT);
  const clean = beginning.replace(INVISIBLE, ' ').replace(PILED_MARKS, '$1').replace(/\s+/gu, ' ').trim();
  return cut(clean, most, beginning.length < text.length);
}

function cut(text: string, most: number, isCut: boolean): string {
  const characters = [...text];
  if (characters.length <= most && !isCut) return text;
  return `${characters
    .slice(0, most - 1)
    .join('')
    .trimEnd()}…`;
}
