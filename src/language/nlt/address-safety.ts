/**
 * Limits the addresses that a value may contain: `http`, `https`, `mailto`, `tel` or no scheme, and `data:` where an
 * image is shown. Addresses are parsed as the URL standard parses them: leading control characters and spaces are
 * ignored, and so are tabs and line breaks at any position.
 */

/** Replaces an address that a value may not contain. */
export const BLOCKED_ADDRESS = '#';

const ALLOWED_SCHEMES = new Set(['http', 'https', 'mailto', 'tel']);
const EXECUTABLE_SCHEMES = ['javascript', 'vbscript', 'data'];
const IMAGE_DATA_ADDRESS = /^\s*data:image\/(?:png|gif|jpe?g|webp)[;,]/i;
/** No scheme that matters here is longer. */
const MAX_SCHEME_LENGTH = 32;

/** Returns the whole address unchanged, or `#` if values may not use its scheme. */
export function sanitizeAddress(text: string, isPicture: boolean): string {
  const { word, next } = leadingScheme(text);
  if (next !== ':' || ALLOWED_SCHEMES.has(word)) return text;
  return isPicture && IMAGE_DATA_ADDRESS.test(text) ? text : BLOCKED_ADDRESS;
}

/** Whether a colon of the template would turn the text into a scheme that values may not use. */
export function isForbiddenScheme(text: string): boolean {
  const { word, next } = leadingScheme(text);
  return next === '' && word !== '' && !ALLOWED_SCHEMES.has(word);
}

/**
 * Filters a text that may be an address or a part of one: returns `#` if it completes a scheme that executes code.
 * @param joinsScheme whether a colon of the template may follow.
 */
export function sanitizePossibleAddress(text: string, joinsScheme: boolean): string {
  const { word, next } = leadingScheme(text);
  const ends = next === ':' && EXECUTABLE_SCHEMES.some((scheme) => scheme.endsWith(word));
  const joins =
    joinsScheme && next === '' && word !== '' && EXECUTABLE_SCHEMES.some((scheme) => scheme.includes(word));
  return ends || joins ? BLOCKED_ADDRESS : text;
}

/** Like `sanitizePossibleAddress`, for a text in which an address may start anywhere, as in `5; url=https://…`. */
export function sanitizeTextWithAddresses(text: string, joinsScheme: boolean): string {
  const isHarmless = (part: string): boolean => sanitizePossibleAddress(part, joinsScheme) === part;
  // A tab or a line break either separates two addresses, or is ignored inside one.
  const parts = [...text.split(/[=;,'"\s]/), ...text.split(/[=;,'" \f]/)];
  return parts.every(isHarmless) ? text : BLOCKED_ADDRESS;
}

/** The leading letters of a text that can be a scheme, in lower case, and the character after them. */
function leadingScheme(text: string): { readonly word: string; readonly next: string } {
  let word = '';
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isIgnored = code <= 0x20 && (word === '' || code === 0x09 || code === 0x0a || code === 0x0d);
    if (isIgnored) continue;
    const character = text.charAt(index);
    if (!/[a-zA-Z0-9+.-]/.test(character)) return { word, next: character };
    if (word.length < MAX_SCHEME_LENGTH) word += character.toLowerCase();
  }
  return { word, next: '' };
}
