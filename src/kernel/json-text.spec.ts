import fc from 'fast-check';
import { ExactNumber } from './exact-number.js';
import { jsonText, mayHoldExactNumbers, parseJson } from './json-text.js';

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
    { numRuns: 5_000 },
  );
});

test('JSON without exact numbers is what JSON.parse makes of it', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(parseJson(json)).toEqual(JSON.parse(json));
    }),
    { numRuns: 1_000 },
  );
});
