import fc from 'fast-check';
import { compareNumbers, ExactNumber, MAX_DIGITS } from './exact-number.js';
import { runs } from '../../test/support/test-scope.js';

const text = (literal: string): string => String(ExactNumber.from(literal));

describe('a number of JSON', () => {
  test.each(['0', '-0', '1', '-1', '0.1', '1.10', '1e2', '1e22', '5e-324', '1.7976931348623157e308'])(
    '%s is a plain number',
    (literal) => expect(ExactNumber.from(literal)).toBe(Number(literal)),
  );

  test.each([
    ['12345678901234567890', '12345678901234567890'],
    ['-12345678901234567890.0', '-12345678901234567890'],
    ['1.2345678901234567890e19', '12345678901234567890'],
    ['0.10000000000000000000000000001', '0.10000000000000000000000000001'],
    ['100000000000000000000000000001e-30', '0.100000000000000000000000000001'],
    ['9007199254740993', '9007199254740993'],
    ['0.30000000000000000001', '0.30000000000000000001'],
  ])('%s keeps its value as %s', (literal, plain) => {
    expect(ExactNumber.from(literal)).toBeInstanceOf(ExactNumber);
    expect(text(literal)).toBe(plain);
  });

  test.each(['1e400', '1e99999999999', `1${'0'.repeat(400)}`, `0.${'1'.repeat(MAX_DIGITS + 1)}`, '1e-5000'])(
    'is out of range: %s',
    (literal) => expect(ExactNumber.from(literal)).toBe(Infinity),
  );

  test('is out of range below zero too', () => expect(ExactNumber.from('-1e400')).toBe(-Infinity));

  test('takes time by its length, whatever its digits', () => {
    expect(ExactNumber.from(`1${'0'.repeat(2_000_000)}1`)).toBe(Infinity);
    expect(ExactNumber.from(`0.${'0'.repeat(2_000_000)}1`)).toBe(Infinity);
  });
});

/** Numbers that are close to each other and to the limits of double precision. */
const scaled = fc.record({ units: fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), scale: fc.nat(20) });
const literalOf = ({ units, scale }: { units: bigint; scale: number }): string => `${units}e-${scale}`;

test('every number keeps its value, and every pair its order', () => {
  fc.assert(
    fc.property(scaled, scaled, (one, other) => {
      const [left, right] = [one, other].map((number) => ExactNumber.from(literalOf(number)));
      const exact = one.units * 10n ** BigInt(other.scale) - other.units * 10n ** BigInt(one.scale);
      expect(Math.sign(compareNumbers(left!, right!))).toBe(exact === 0n ? 0 : exact < 0n ? -1 : 1);
      expect(compareNumbers(left!, ExactNumber.from(String(left))) === 0).toBe(true);
    }),
    { numRuns: runs(2_000) },
  );
});
