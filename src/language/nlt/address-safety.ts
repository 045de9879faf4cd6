/**
 * Which addresses a value may give: `http`, `https`, `mailto`, `tel` or no scheme, and the data of a picture where one is
 * shown. Addresses are read as the URL standard reads them: without control characters and spaces before them, and
 * without tabs and line breaks anywhere, however many there are.
 */

/** What stands for an address that a value may not give. */
export const NOWHERE = '#';

const SCHEMES = new Set(['http', 'https', 'mailto', 'tel']);
const RUNNING = ['javascript', 'vbscript', 'data'];
const PICTURE = /^\s*data:image\/(?:png|gif|jpe?g|webp)[;,]/i;
/** Longer words are no scheme that matters here. */
const MAX_WORD = 32;

/** A whole address as it is, or `#` if its scheme is none that values may have. */
export function wholeAddress(text: string, isPicture: boolean): string {
  const { word, next } = beginning(text);
  if (next !== ':' || SCHEMES.has(word)) return text;
  return isPicture && PICTURE.test(text) ? text : NOWHERE;
}

/** Whether a colon of the template would make a scheme of the text that values may not have. */
export function isForbiddenScheme(text: string): boolean {
  const { word, next } = beginning(text);
  return next === '' && word !== '' && !SCHEMES.has(word);
}

/**
 * A text that may be an address, or any part of one: `#` if it ends a scheme that runs something.
 * @param joinsScheme whether a colon of the template may follow.
 */
export function textOrAddress(text: string, joinsScheme: boolean): string {
  const { word, next } = beginning(text);
  const ends = next === ':' && RUNNING.some((scheme) => scheme.endsWith(word));
  const joins = joinsScheme && next === '' && word !== '' && RUNNING.some((scheme) => scheme.includes(word));
  return ends || joins ? NOWHERE : text;
}

/** The same of a text in which an address may begin anywhere, as in `5; url=https://…`. */
export function textWithAddress(text: string, joinsScheme: boolean): string {
  const isHarmless = (part: string): boolean => textOrAddress(part, joinsScheme) === part;
  // A tab or a line break stands between two addresses, or within one, where it counts for nothing.
  const parts = [...text.split(/[=;,'"\s]/), ...text.split(/[=;,'" \f]/)];
  return parts.every(isHarmless) ? text : NOWHERE;
}

/** The letters that a scheme may have at the beginning of a text, in lower case, and the character behind them. */
function beginning(text: string): { readonly word: string; readonly next: string } {
  let word = '';
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isLeftOut = code <= 0x20 && (word === '' || code === 0x09 || code === 0x0a || code === 0x0d);
    if (isLeftOut) continue;
    const character = text.charAt(index);
    if (!/[a-zA-Z0-9+.-]/.test(character)) return { word, next: character };
    if (word.length < MAX_WORD) word += character.toLowerCase();
  }
  return { word, next: '' };
}
