/**
 * Reads one character of an expression, whether written plainly or as an HTML entity: visual editors turn quotes,
 * apostrophes and spaces inside braces into entities. Only the entities that editors write are known.
 */

const named = new Map<string, string>([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
  ['ensp', '\u2002'],
  ['emsp', '\u2003'],
  ['thinsp', '\u2009'],
  ['zwnj', '\u200c'],
  ['zwj', '\u200d'],
  ['shy', '\u00ad'],
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
  ['pound', '\u00a3'],
  ['yen', '\u00a5'],
  ['cent', '\u00a2'],
  ['copy', '\u00a9'],
  ['reg', '\u00ae'],
  ['trade', '\u2122'],
  ['bull', '\u2022'],
  ['middot', '\u00b7'],
  ['auml', 'ä'],
  ['ouml', 'ö'],
  ['uuml', 'ü'],
  ['Auml', 'Ä'],
  ['Ouml', 'Ö'],
  ['Uuml', 'Ü'],
  ['szlig', 'ß'],
  ['eacute', 'é'],
  ['egrave', 'è'],
  ['agrave', 'à'],
  ['ccedil', 'ç'],
  ['ntilde', 'ñ'],
]);

const entityPattern = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/y;

/** One character of an expression: what it stands for and where the next one begins. */
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
  const character = match && decoded(match[1], match[2], match[3]);
  if (!character) return { character: plain, next: offset + 1, fromEntity: false };
  return { character, next: entityPattern.lastIndex, fromEntity: true };
}

function decoded(decimal?: string, hexadecimal?: string, name?: string): string | undefined {
  if (name !== undefined) return named.get(name);
  const code = decimal === undefined ? parseInt(hexadecimal ?? '0', 16) : parseInt(decimal, 10);
  const isScalar = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isScalar ? String.fromCodePoint(code) : undefined;
}
