/** Tests decimal arithmetic with tables and algebraic laws. */
import fc from 'fast-check';
import {
  add,
  compare,
  type Decimal,
  decimalFrom,
  divide,
  modulo,
  multiply,
  round,
  subtract,
} from './decimal.js';

function decimal(text: string): Decimal {
  const value = decimalFrom(text);
  if (value === undefined) throw new Error(`${text} is no decimal`);
  return value;
}

const operations = { '+': add, '-': subtract, '*': multiply, '/': divide, '%': modulo };

test.each<[string, keyof typeof operations, string, string]>([
  ['0.1', '+', '0.2', '0.3'],
  ['1', '-', '0.9', '0.1'],
  ['1.1', '*', '1.1', '1.21'],
  ['19.99', '*', '3', '59.97'],
  ['0.5', '-', '0.5', '0'],
  ['1e3', '+', '1', '1001'],
  ['1e-7', '+', '0', '0.0000001'],
  ['10', '/', '4', '2.5'],
  ['10', '/', '3', '3.3333333333333333333'],
  ['2', '/', '3', '0.66666666666666666667'],
  ['-1', '/', '8', '-0.125'],
  ['0', '/', '7', '0'],
  ['100000000000000000000000000000', '/', '10', '10000000000000000000000000000'],
  ['1', '/', '0', 'none'],
  ['7', '%', '3', '1'],
  ['-7', '%', '3', '2'],
  ['7', '%', '-3', '-2'],
  ['5.5', '%', '2', '1.5'],
  ['1', '%', '0', 'none'],
  ['1e300', '*', '1e300', 'none'],
  ['1e-300', '*', '1e-300', '0'],
])('%s %s %s is %s', (a, operator, b, expected) => {
  expect(operations[operator](decimal(a), decimal(b))?.toString() ?? 'none').toBe(expected);
});

test.each(['', 'x', '1,000', '1.', '.5', '1e99999', '0x10', '1 2', '--1', '9'.repeat(600)])(
  '%.20j is no number',
  (text) => {
    expect(decimalFrom(text)).toBeUndefined();
  },
);

test.each([
  ['12.50', '12.5'],
  ['-0', '0'],
  ['+7', '7'],
  [' 007 ', '7'],
  ['-0.050', '-0.05'],
  ['1.5E2', '150'],
])('%j is written %s', (text, expected) => {
  expect(decimal(text).toString()).toBe(expected);
});

test.each<[string, number, 'nearest' | 'down' | 'up', string]>([
  ['2.5', 0, 'nearest', '3'],
  ['-2.5', 0, 'nearest', '-3'],
  ['2.449', 1, 'nearest', '2.4'],
  ['1.005', 2, 'nearest', '1.01'],
  ['2.9', 0, 'down', '2'],
  ['-2.1', 0, 'down', '-3'],
  ['2.1', 0, 'up', '3'],
  ['-2.9', 0, 'up', '-2'],
  ['3', 2, 'up', '3'],
])('%s to %i digits, %s, is %s', (text, digits, mode, expected) => {
  expect(round(decimal(text), digits, mode).toString()).toBe(expected);
});

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.nat(12))
  .map(([units, scale]) => decimal(`${units}e-${scale}`));

test('laws of arithmetic', () => {
  fc.assert(
    fc.property(decimals, decimals, decimals, (a, b, c) => {
      const sum = add(a, b) as Decimal;
      expect(sum.toString()).toBe(String(add(b, a)));
      expect(String(subtract(sum, b))).toBe(a.toString());
      expect(String(multiply(sum, c))).toBe(
        String(add(multiply(a, c) as Decimal, multiply(b, c) as Decimal)),
      );
      expect(compare(decimal(a.toString()), a)).toBe(0);
      if (b.units !== 0n) {
        const back = multiply(divide(a, b) as Decimal, b) as Decimal;
        const difference = Math.abs(Number(subtract(back, a)));
        expect(difference).toBeLessThanOrEqual(Math.abs(Number(a)) * 1e-19);
        const remainder = modulo(a, b) as Decimal;
        expect(remainder.units === 0n || remainder.units < 0n === b.units < 0n).toBe(true);
      }
    }),
  );
});
