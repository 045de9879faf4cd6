/**
 * The character references in static HTML that matter to an address or a style: numbers, and the names of what has a
 * meaning there.
 */

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  colon: ':',
  lpar: '(',
  NewLine: '\n',
  num: '#',
  quest: '?',
  quot: '"',
  rpar: ')',
  sol: '/',
  Tab: '\t',
};

/** Browsers take a number without its semicolon as well. */
const REFERENCE = /&(?:#(\d+);?|#[xX]([0-9a-fA-F]+);?|([a-zA-Z]+);)/y;

/** The beginning of a reference, with nothing behind it. */
export const OPEN_REFERENCE = /^&(?:#[xX]?)?[0-9a-zA-Z]*$/;

/** The character that is written at `index`, and where what follows begins; null for what is no such reference. */
export function referenceAt(html: string, index: number): { character: string; end: number } | null {
  REFERENCE.lastIndex = index;
  const match = REFERENCE.exec(html);
  if (match === null) return null;
  const [, decimal, hexadecimal, name = ''] = match;
  const end = REFERENCE.lastIndex;
  if (decimal === undefined && hexadecimal === undefined) {
    return Object.hasOwn(NAMED, name) ? { character: NAMED[name] ?? '', end } : null;
  }
  const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : parseInt(decimal, 10);
  return { character: code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd', end };
}
