import fc from 'fast-check';
import { twoProportionPValue, upperTail, wilsonInterval } from './statistics.js';

// Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('%d of %d lie between %d and %d', (part, whole, low, high) => {
  const [from, to] = wilsonInterval({ part, whole });
  expect(from).toBeCloseTo(low, 4);
  expect(to).toBeCloseTo(high, 4);
});

// Tables of the normal distribution.
test.each([
  [0, 0.5],
  [1, 0.1586553],
  [1.6448536, 0.05],
  [1.959964, 0.025],
  [2.5758293, 0.005],
  [3.2905267, 0.0005],
])('behind %d deviations lie %d', (z, share) => {
  expect(upperTail(z)).toBeCloseTo(share, 6);
});

test('two shares are compared by what they have in common', () => {
  // z = (0.50 - 0.40) / sqrt(0.45 · 0.55 · 2/100) = 1.4213
  const p = twoProportionPValue({ part: 50, whole: 100 }, { part: 40, whole: 100 });
  expect(p).toBeCloseTo(0.1552, 4);
  expect(twoProportionPValue({ part: 0, whole: 10 }, { part: 0, whole: 20 })).toBe(1);
  expect(twoProportionPValue({ part: 0, whole: 0 }, { part: 0, whole: 20 })).toBeNull();
});

test('intervals hold the share, and become narrower with more of it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (whole, share) => {
        const part = Math.round(whole * share);
        const [low, high] = wilsonInterval({ part, whole });
        expect(low).toBeLessThanOrEqual(part / whole + 1e-12);
        expect(high).toBeGreaterThanOrEqual(part / whole - 1e-12);
        const [lower, higher] = wilsonInterval({ part: part * 4, whole: whole * 4 });
        expect(higher - lower).toBeLessThan(high - low);
      },
    ),
  );
});

test('who is compared with whom says nothing', () => {
  const count = fc.integer({ min: 0, max: 500 });
  fc.assert(
    fc.property(count, count, (one, other) => {
      const a = { part: one, whole: 500 };
      const b = { part: other, whole: 500 };
      expect(twoProportionPValue(a, b)).toBeCloseTo(twoProportionPValue(b, a) ?? -1, 12);
    }),
  );
});
