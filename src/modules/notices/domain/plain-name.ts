/**
 * Names that people choose for themselves, fit to stand in mail that the product sends in its own name: whoever is written
 * to may not know them. A name stays a name, and becomes neither a link nor a second sentence of ours.
 */

/** Characters of a name in mail. */
export const LONGEST_PLAIN_NAME = 60;

/** Breaks, controls, and marks that turn the direction of text or hide in it; the joiners of emoji and of Persian stay. */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
/** What mail programs make links of: whatever has a dot between letters, a scheme, or an @. */
const DOT = /[.\u3002\uff0e\uff61](?=[^\s.])/gu;
const SCHEME = /:(?=\s*[/\\])[\s/\\]*|[/\\]{2,}/g;
/** Marks above and below a letter beyond any writing's need. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** What stands before the end of a domain: a dot of a number or a version is none. */
const DOT_OF_DOMAIN = /[.\u3002\uff0e\uff61](?=\p{L})/gu;

/** A name of any length, of which mail programs make no link. */
export function unlinkedName(name: string): string {
  return name.replace(SCHEME, ' ').replace(DOT_OF_DOMAIN, '. ').replaceAll('@', ' at ');
}

/**
 * The name on one line, without what could make a link of it or turn text around, of 60 characters at most.
 * @param fallback what stands there where nothing is left.
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
  if (characters.length <= LONGEST_PLAIN_NAME) return clean;
  return `${characters
    .slice(0, LONGEST_PLAIN_NAME - 1)
    .join('')
    .trimEnd()}…`;
}
