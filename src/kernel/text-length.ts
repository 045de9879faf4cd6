/**
 * Measures texts in characters, as people, PostgreSQL and JSON Schema count them: an emoji is one character, not two.
 */

/** The number of characters (code points) in `text`. A lone surrogate counts as one. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let index = 1; index < text.length; index++) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) length--;
  }
  return length;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Whether a text has more than `maxLength` characters. Very cheap for short texts. */
export function isLonger(text: string, maxLength: number): boolean {
  return text.length > maxLength && (text.length > maxLength * 2 || lengthOf(text) > maxLength);
}

/** The start of a text: at most `maxLength` UTF-16 units, without splitting a surrogate pair. */
export function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return text.slice(0, isHigh(text.charCodeAt(maxLength - 1)) ? maxLength - 1 : maxLength);
}
