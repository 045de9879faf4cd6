import fc from 'fast-check';
import { findPlaceholders, containsPlaceholder, MAX_PLACEHOLDER_LENGTH } from './placeholders.js';

const LITERAL: readonly [name: string, text: string, found: readonly string[]][] = [
  ['nothing', '<p>Hi there</p>', []],
  ['a pair', 'Hi «first name»!', ['pair «first name» at 3']],
  ['a pair with inner spaces', 'Hi « first name »!', ['pair « first name » at 3']],
  ['an empty pair', '«»', ['pair «» at 0']],
  ['several pairs', '«a» and «b»', ['pair «a» at 0', 'pair «b» at 8']],
  ['a lone opening one', 'Hi «name', ['lone « at 3']],
  ['a lone closing one', 'Hi name»', ['lone » at 7']],
  ['the wrong way round', '»name«', ['lone » at 0', 'lone « at 5']],
  ['an opening one before a pair', '«a «b»', ['lone « at 0', 'pair «b» at 3']],
  ['a closing one behind a pair', '«a» b»', ['pair «a» at 0', 'lone » at 5']],
  ['one pair within another', '««a»»', ['lone « at 0', 'pair «a» at 1', 'lone » at 4']],
  ['a pair over a line break', '«first\nname»', ['pair «first\nname» at 0']],
  ['a pair with tags inside', '«first <b>name</b>»', ['pair «first <b>name</b>» at 0']],
  ['a pair inside of an expression', '{the Name, or "«x»"}', ['pair «x» at 15']],
  ['entities are not literal', '&laquo;name&raquo; &#171;', []],
  ['other quotation marks', '‹name› “name” <<name>>', []],
];

describe('literal placeholders', () => {
  test.each(LITERAL)('%s', (_name, text, found) => {
    expect(findPlaceholders(text).map(({ kind, token, offset }) => `${kind} ${token} at ${offset}`)).toEqual(
      found,
    );
  });

  test('a pair may be as long as the bound, and no longer', () => {
    const inner = 'x'.repeat(MAX_PLACEHOLDER_LENGTH - 2);
    expect(findPlaceholders(`«${inner}»`).map(({ kind }) => kind)).toEqual(['pair']);
    expect(findPlaceholders(`«${inner}x»`).map(({ kind }) => kind)).toEqual(['lone', 'lone']);
  });

  test('no more than a hundred are told, or as many as asked for', () => {
    expect(findPlaceholders('«a»'.repeat(1_000))).toHaveLength(100);
    expect(findPlaceholders('«'.repeat(1_000), 3)).toHaveLength(3);
    expect(findPlaceholders('«'.repeat(MAX_PLACEHOLDER_LENGTH) + '»', 2)).toHaveLength(2);
  });

  test('every guillemet belongs to exactly one token, which stands in the text where it says', () => {
    const piece = fc.constantFrom('«', '»', 'a', ' ', '\n', '<b>', '&laquo;', 'é', '😀');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const found = findPlaceholders(text);
        expect(found.map(({ token }) => token.replace(/[^«»]/g, '')).join('')).toBe(
          text.replace(/[^«»]/g, ''),
        );
        let end = 0;
        for (const { token, offset, kind } of found) {
          expect(offset).toBeGreaterThanOrEqual(end);
          end = offset + token.length;
          expect(text.slice(offset, end)).toBe(token);
          expect(token).toMatch(kind === 'pair' ? /^«[^«»]*»$/ : /^[«»]$/);
        }
        if (found.length > 0) expect(containsPlaceholder(text)).toBe(true);
      }),
    );
  });
});

describe('what keeps a message from being sent', () => {
  test.each([
    'Hi «name»',
    'lone «',
    'lone »',
    '&laquo;name&raquo;',
    '&laquo name',
    '&laquoname',
    '&raquo;',
    '&LAQUO;',
    '&#171;',
    '&#187;',
    '&#171 name',
    '&#00171;',
    '&#xAB;',
    '&#xab;',
    '&#XBB;',
    '&#x000aB;',
    '&#xAB name',
  ])('%s', (text) => {
    expect(containsPlaceholder(`<p>${text}</p>`)).toBe(true);
  });

  test.each([
    'plain',
    '&amp;laquo; is shown as written',
    '&#1710;',
    '&#17;1',
    '&#xABC;',
    '&#xab0;',
    'laquo raquo',
    '&lsaquo;',
    '&#8249;',
    '&quot;',
    '% AB',
  ])('not %s', (text) => {
    expect(containsPlaceholder(`<p>${text}</p>`)).toBe(false);
  });

  test('a number with thousands of zeros', () => {
    expect(containsPlaceholder(`&#${'0'.repeat(100_000)}171;`)).toBe(true);
  });

  test('every number that HTML reads as a guillemet', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(171, 187),
        fc.nat(20),
        fc.boolean(),
        fc.boolean(),
        (code, zeros, hex, semi) => {
          const digits = '0'.repeat(zeros) + code.toString(hex ? 16 : 10);
          expect(containsPlaceholder(`a &#${hex ? 'x' : ''}${digits}${semi ? ';' : ' '} b`)).toBe(true);
        },
      ),
    );
  });
});
