/**
 * Placeholders in guillemets, such as «first name», that an author or an assistant has left in a text for somebody to
 * fill in. Section 4.3: validation reports the literal ones, and a message that holds any, also one written as an HTML
 * entity, is not sent.
 *
 * Dark corners:
 * - A pair is « and the next », with no other guillemet between them; line breaks and tags may stand between. So of
 *   `«a «b»` the first character is lone and `«b»` a pair.
 * - A pair longer than LONGEST_PLACEHOLDER is no token that somebody wrote as one: both its characters are lone.
 * - Where guillemets are quotation marks they are reported as well: nothing tells the two uses apart.
 */

/** A placeholder as written, its guillemets included; a lone guillemet is its own token. `offset` is in UTF-16 units. */
export interface Placeholder {
  readonly token: string;
  readonly offset: number;
  readonly kind: 'pair' | 'lone';
}

/** Longest pair in UTF-16 units, guillemets included. */
export const LONGEST_PLACEHOLDER = 1_000;

/** A text with more placeholders than this is broken as a whole, and nobody reads on. */
const MOST_PLACEHOLDERS = 100;

const OPENING = '«';
const GUILLEMET = /[«»]/g;

/**
 * What HTML shows as a guillemet. Names are matched in any case, since not every mail program is strict, and without
 * a semicolon, which browsers do not need here.
 */
const ENCODED = /[«»]|&(?:[lr]aquo|#0*(?:171|187)(?!\d)|#x0*[ab]b(?![\da-f]))/i;

/** The literal placeholders in the order of the text, at most `most` of them; in linear time. */
export function findPlaceholders(text: string, most = MOST_PLACEHOLDERS): readonly Placeholder[] {
  const found: Placeholder[] = [];
  let opened = -1;
  const addLone = (offset: number): void => {
    if (offset >= 0) found.push({ token: text.charAt(offset), offset, kind: 'lone' });
  };
  for (const { 0: character, index } of text.matchAll(GUILLEMET)) {
    if (found.length >= most) break;
    if (character === OPENING) {
      addLone(opened);
      opened = index;
    } else if (opened >= 0 && index + 1 - opened <= LONGEST_PLACEHOLDER) {
      found.push({ token: text.slice(opened, index + 1), offset: opened, kind: 'pair' });
      opened = -1;
    } else {
      addLone(opened);
      addLone(index);
      opened = -1;
    }
  }
  addLone(opened);
  return found.slice(0, most);
}

/** Whether a text holds a guillemet, literal or as an HTML entity in any spelling: such a message is not sent. */
export function holdsPlaceholder(text: string): boolean {
  return ENCODED.test(text);
}
