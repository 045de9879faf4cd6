/**
 * Makes names that people chose themselves safe for mail in the product's name, because recipients may not know these
 * people. A name must not become a link or an additional sentence of ours.
 */

/** Maximum characters of a name in mail. */
export const MAX_PLAIN_NAME_LENGTH = 60;

/**
 * Line breaks, control characters, and marks that change the direction of text or are invisible. The joiners of emoji
 * and of Persian stay.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
/** What mail programs turn into links: anything with a dot between letters, a scheme, or an @. */
const DOT = /[.\u3002\uff0e\uff61](?=[^\s.])/gu;
const SCHEME = /:(?=\s*[/\\])[\s/\\]*|[/\\]{2,}/g;
/** More combining marks on a letter than any script needs. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** The dot before a domain's ending. A dot in a number or a version does not match. */
const DOT_OF_DOMAIN = /[.\u3002\uff0e\uff61](?=\p{L})/gu;

/** A name of any length that mail programs do not turn into a link. */
export function unlinkedName(name: string): string {
  return name.replace(SCHEME, ' ').replace(DOT_OF_DOMAIN, '. ').replaceAll('@', ' at ');
}

/**
 * The name on one line, without anything that could become a link or change the text direction, at most 60 characters.
 * @param fallback used if nothing is left.
 */
export function plainName(name: string, fallback: string): string {
  const clean = name
    .replace(INVISIBLE, ' ')
    .replace(SCHEME, ' ')
    .replace(DOT, '. ')
    .replaceAll('@', ' at ')
    .replace(PILED_MARKS, '$1')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...clean];
  if (characters.length === 0) return fallback;
  if (characters.length <= MAX_PLAIN_NAME_LENGTH) return clean;
  return `${characters
    .slice(0, MAX_PLAIN_NAME_LENGTH - 1)
    .join('')
    .trimEnd()}…`;
}
