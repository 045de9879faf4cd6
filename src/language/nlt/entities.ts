/**
 * Reads one character of an expression, whether plain or an HTML entity: visual editors turn quotes, apostrophes and
 * spaces inside braces into entities. Only the entities that editors write are known.
 */

/** The names of U+00A0 to U+00FF, in order. */
const latin1Names =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';

const namedEntities = new Map<string, string>([
  ...latin1Names.split(' ').map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['Tab', '\t'],
  ['NewLine', '\n'],
  ['ensp', '\u2002'],
  ['emsp', '\u2003'],
  ['thinsp', '\u2009'],
  ['zwnj', '\u200c'],
  ['zwj', '\u200d'],
  ['lsquo', '\u2018'],
  ['rsquo', '\u2019'],
  ['sbquo', '\u201a'],
  ['ldquo', '\u201c'],
  ['rdquo', '\u201d'],
  ['bdquo', '\u201e'],
  ['ndash', '\u2013'],
  ['mdash', '\u2014'],
  ['hellip', '\u2026'],
  ['euro', '\u20ac'],
  ['trade', '\u2122'],
  ['bull', '\u2022'],
  ['OElig', '\u0152'],
  ['oelig', '\u0153'],
  ['Scaron', '\u0160'],
  ['scaron', '\u0161'],
]);

const entityPattern = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/y;

/** One character of an expression: the decoded character, and the offset of the next one. */
export interface SourceCharacter {
  readonly character: string;
  readonly next: number;
  readonly fromEntity: boolean;
}

/** The character at `offset`, which must be inside `source`; an unknown entity is an ordinary ampersand. */
export function characterAt(source: string, offset: number): SourceCharacter {
  const plain = source.charAt(offset);
  if (plain !== '&') return { character: plain, next: offset + 1, fromEntity: false };
  entityPattern.lastIndex = offset;
  const match = entityPattern.exec(source);
  const character = match && decodeEntity(match[1], match[2], match[3]);
  if (!character) return { character: plain, next: offset + 1, fromEntity: false };
  return { character, next: entityPattern.lastIndex, fromEntity: true };
}

function decodeEntity(decimal?: string, hexadecimal?: string, name?: string): string | undefined {
  if (name !== undefined) return namedEntities.get(name);
  const code = decimal === undefined ? parseInt(hexadecimal ?? '0', 16) : parseInt(decimal, 10);
  const isScalar = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isScalar ? String.fromCodePoint(code) : undefined;
}
