/** How long a text is for a person, and for PostgreSQL and JSON Schema: an emoji is one character, not two. */

/** The number of characters (code points) in `text`; half of a pair counts as one. */
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

/** Whether a text has more than `most` characters; asked of short texts at hardly any cost. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most && (text.length > most * 2 || lengthOf(text) > most);
}

/** The beginning of a text: at most `most` UTF-16 units, and no half of a pair at its end. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, isHigh(text.charCodeAt(most - 1)) ? most - 1 : most);
}
