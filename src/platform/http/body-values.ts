/**
 * Counts the values of a JSON body before it is parsed. Parsing costs time per value, whatever its size: five megabytes
 * of the smallest values would block the process for a third of a second or more.
 */

/**
 * Maximum values of a body. The limit is higher for a list of items, such as a thousand contacts with all their
 * properties.
 */
export const MAX_VALUES = 100_000;
export const MAX_ITEM_VALUES = 250_000;
/** Maximum objects and lists among them. They are the most expensive, because each allocates memory. */
const MAX_CONTAINERS = 50_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/**
 * Whether a body has more than `maxValues` members and items, or too many objects and lists. Stops as soon as it knows, and
 * does not scan a body shorter than the limits. The result for invalid JSON is undefined; the parser rejects it.
 * @param body JSON in UTF-8.
 */
export function holdsMoreValues(body: Buffer, maxValues: number): boolean {
  if (body.length <= MAX_CONTAINERS) return false;
  let separators = 0;
  let containers = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === COMMA) {
      // A list or object has one separator fewer than values.
      if (++separators >= maxValues) return true;
    } else if ((byte === LIST || byte === OBJECT) && ++containers > MAX_CONTAINERS) return true;
  }
  return false;
}

/** The position of the closing quote of a string, or the end of the text if there is none. */
function endOfText(body: Buffer, start: number): number {
  for (let end = body.indexOf(QUOTE, start + 1); end !== -1; end = body.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (body[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return body.length;
}
