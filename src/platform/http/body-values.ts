/**
 * How many values a JSON body holds, before it is parsed: reading a value costs time whatever its size, so that five
 * megabytes of the smallest would hold the process for a third of a second and more.
 */

/** Most values of a body; those of a list of items, such as a thousand contacts with all their properties. */
export const MOST_VALUES = 100_000;
export const MOST_VALUES_OF_ITEMS = 250_000;
/** Of them objects and lists, which cost most: with other memory for each. */
const MOST_CONTAINERS = 50_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/**
 * Whether a body has more members and items than `most`, or too many objects and lists. Stops where it knows; what is
 * shorter than the bounds is not looked at. Of what is no JSON it says anything: the parser refuses it.
 * @param body JSON in UTF-8.
 */
export function holdsMoreValues(body: Buffer, most: number): boolean {
  if (body.length <= MOST_CONTAINERS) return false;
  let separators = 0;
  let containers = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === COMMA) {
      // One fewer than there are values in each list and object.
      if (++separators >= most) return true;
    } else if ((byte === LIST || byte === OBJECT) && ++containers > MOST_CONTAINERS) return true;
  }
  return false;
}

/** The place of the quote that ends a text, or the end where none does. */
function endOfText(body: Buffer, start: number): number {
  for (let end = body.indexOf(QUOTE, start + 1); end !== -1; end = body.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (body[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return body.length;
}
