/**
 * Decodes the character references in static HTML that matter to an address or a style: numeric ones, and the named
 * ones of characters with a meaning there.
 */

const NAMED_REFERENCES: Readonly<Record<string, string>> = {
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

/** Browsers also accept a numeric reference without its semicolon. */
const REFERENCE = /&(?:#(\d+);?|#[xX]([0-9a-fA-F]+);?|([a-zA-Z]+);)/y;

/** An incomplete reference at the end of a text. */
export const OPEN_REFERENCE = /^&(?:#[xX]?)?[0-9a-zA-Z]*$/;

/** The character that the reference at `index` encodes, and the offset after it; null if there is no such reference. */
export function referenceAt(html: string, index: number): { character: string; end: number } | null {
  REFERENCE.lastIndex = index;
  const match = REFERENCE.exec(html);
  if (match === null) return null;
  const [, decimal, hexadecimal, name = ''] = match;
  const end = REFERENCE.lastIndex;
  if (decimal === undefined && hexadecimal === undefined) {
    return Object.hasOwn(NAMED_REFERENCES, name) ? { character: NAMED_REFERENCES[name] ?? '', end } : null;
  }
  const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : parseInt(decimal, 10);
  return { character: code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd', end };
}
