import fc from 'fast-check';
import { ExactNumber } from './exact-number.js';
import { jsonText, mayHoldExactNumbers, parseJson, TooManyExactNumbers } from './json-text.js';
import { runs } from '../../test/support/test-scope.js';

const BIG = '12345678901234567890';

describe('JSON there and back', () => {
  test.each([
    `{"a":${BIG}}`,
    `[${BIG},-${BIG},[0.12345678901234567890123]]`,
    `{"a":{"b":[1,2.5,true,null,"${BIG}"]},"c":${BIG}}`,
    BIG,
    `{"text\\"":"a \\\\","n":${BIG}}`,
    `{"__proto__":${BIG}}`,
    '{}',
    '[]',
    'null',
  ])('%s is as it came', (json) => expect(jsonText(parseJson(json))).toBe(json));

  test('texts are left alone, numbers that a double holds are plain ones', () => {
    expect(
      parseJson(`{"phone":"${BIG}","list":"[${BIG}, 1e400]","n":1.10,"e":1e2,"z":-0.0000000000000000}`),
    ).toEqual({
      phone: BIG,
      list: `[${BIG}, 1e400]`,
      n: 1.1,
      e: 100,
      z: -0,
    });
  });

  test('white space around numbers', () =>
    expect(jsonText(parseJson(`[ ${BIG} , ${BIG}\n]`))).toBe(`[${BIG},${BIG}]`));

  test('numbers out of range are infinite, as JSON.parse has them', () =>
    expect(parseJson('{"a":1e400,"b":-1e400}')).toEqual({ a: Infinity, b: -Infinity }));

  test.each([
    `{${BIG}:1}`,
    `{${BIG} : 1}`,
    `[0${BIG}]`,
    `[${BIG}.]`,
    `[.${BIG}]`,
    `[+${BIG}]`,
    `[${BIG}x]`,
    `[--${BIG}]`,
    `["${BIG}]`,
    `[${BIG} ${BIG}]`,
    `[NaN,${BIG}]`,
  ])('%s is no JSON', (json) => expect(() => parseJson(json)).toThrow(SyntaxError));

  describe('bounds', () => {
    const most = { numbers: 3, characters: 100 };
    const list = (length: number, literal: string): string => `[${Array(length).fill(literal).join()}]`;

    test.each([
      ['long ones', 3, BIG],
      ['small ones', 0, '1e-999'],
      ['ones out of range', 3, '1e-2000'],
      ['ones that a double holds, though it is written otherwise', 3, '0.10000000000000000'],
    ])('of %s so many are taken and no more', (_, taken, literal) => {
      expect(parseJson(list(taken, literal), most)).toHaveLength(taken);
      expect(() => parseJson(list(taken + 1, literal), most)).toThrow(TooManyExactNumbers);
    });

    test('what a double writes does not count, nor what no text of sixteen characters is', () => {
      const usual = '0.30000000000000004,-1.7976931348623157e+308,1e5,1.5e-200,123456789012345,1e400';
      expect(parseJson(`[${BIG},${list(9, usual)}]`, most)).toHaveLength(2);
    });
  });

  test('a number in a text of deep nesting', () => {
    const deep = 100_000;
    let value = parseJson(`${'['.repeat(deep)}${BIG}${']'.repeat(deep)}`);
    for (let level = 0; level < deep; level++) value = (value as unknown[])[0];
    expect(value).toEqual(ExactNumber.from(BIG));
  });

  test('one long number among many values makes nobody look at each of the others', () => {
    const look = jest.spyOn(ExactNumber, 'from');
    parseJson(`{"a":${BIG},"b":[${'0,'.repeat(10_000)}1e2,${'0.30000000000000004,'.repeat(100)}0]}`);
    expect(look).toHaveBeenCalledTimes(1);
    look.mockRestore();
  });

  test('whoever writes by JSON.stringify loses no digit', () =>
    expect(JSON.stringify({ a: ExactNumber.from(BIG) })).toBe(`{"a":"${BIG}"}`));
});

const literal = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(30), fc.integer({ min: -320, max: 320 }))
  .map(([units, scale, exponent]) => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
    const point = digits.length - scale;
    const plain = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
    return `${units < 0n ? '-' : ''}${plain}${exponent === 0 ? '' : `e${exponent}`}`;
  })
  .filter((text) => !/^-?0\d/.test(text));

test('no number that a double does not hold is taken for a usual one', () => {
  fc.assert(
    fc.property(literal, (text) => {
      const json = `{"n":${text}}`;
      if (ExactNumber.from(text) !== Number(text)) expect(mayHoldExactNumbers(json)).toBe(true);
      expect(parseJson(json)).toEqual({ n: ExactNumber.from(text) });
      const inside = `{"${' '.repeat(text.length % 16)}": [1,\n${text}]}`;
      expect(Object.values(parseJson(inside) as object)).toEqual([[1, ExactNumber.from(text)]]);
    }),
    { numRuns: runs(5_000) },
  );
});

test('JSON without exact numbers is what JSON.parse makes of it', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(parseJson(json)).toEqual(JSON.parse(json));
    }),
    { numRuns: runs(1_000) },
  );
});
