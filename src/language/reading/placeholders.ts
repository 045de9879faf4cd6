/**
 * Placeholders in guillemets, such as «first name», that an author or an assistant left in a text to be filled in
 * later. Section 4.3: validation reports literal ones. A message that contains any, including one written as an HTML
 * entity, is not sent.
 *
 * Edge cases:
 * - A pair is « and the next », with no other guillemet between them; it may contain line breaks and tags. So in `«a
 *   «b»` the first character is lone and `«b»` is a pair.
 * - A pair longer than MAX_PLACEHOLDER_LENGTH is not one token: both its characters are lone.
 * - Guillemets used as quotation marks are reported as well, since the two uses cannot be distinguished.
 */

/**
 * A placeholder as written, including its guillemets; a lone guillemet is a separate token. `offset` is in UTF-16
 * units.
 */
export interface Placeholder {
  readonly token: string;
  readonly offset: number;
  readonly kind: 'pair' | 'lone';
}

/** Longest pair in UTF-16 units, guillemets included. */
export const MAX_PLACEHOLDER_LENGTH = 1_000;

/** A text with more placeholders than this is broken as a whole, and a longer list would not help its author. */
const MAX_PLACEHOLDERS = 100;

const OPENING = '«';
const GUILLEMET = /[«»]/g;

/**
 * An HTML entity or character that is displayed as a guillemet. Names match in any case, since some mail programs are
 * lenient, and without a semicolon, which browsers do not require here.
 */
const ENCODED_GUILLEMET = /[«»]|&(?:[lr]aquo|#0*(?:171|187)(?!\d)|#x0*[ab]b(?![\da-f]))/i;

/** The literal placeholders in the order of the text, at most `limit` of them; in linear time. */
export function findPlaceholders(text: string, limit = MAX_PLACEHOLDERS): readonly Placeholder[] {
  const found: Placeholder[] = [];
  let opened = -1;
  const addLone = (offset: number): void => {
    if (offset >= 0) found.push({ token: text.charAt(offset), offset, kind: 'lone' });
  };
  for (const { 0: character, index } of text.matchAll(GUILLEMET)) {
    if (found.length >= limit) break;
    if (character === OPENING) {
      addLone(opened);
      opened = index;
    } else if (opened >= 0 && index + 1 - opened <= MAX_PLACEHOLDER_LENGTH) {
      found.push({ token: text.slice(opened, index + 1), offset: opened, kind: 'pair' });
      opened = -1;
    } else {
      addLone(opened);
      addLone(index);
      opened = -1;
    }
  }
  addLone(opened);
  return found.slice(0, limit);
}

/** Whether a text contains a guillemet, literal or as an HTML entity in any spelling: such a message is not sent. */
export function containsPlaceholder(text: string): boolean {
  return ENCODED_GUILLEMET.test(text);
}
