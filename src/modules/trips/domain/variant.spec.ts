import { drawOf, variantAt } from './variant.js';

const variants = (...percentages: number[]) =>
  percentages.map((percentage, n) => ({ name: `V${n}`, percentage, steps: [] }));

test.each([
  [[50, 50], 0, 0],
  [[50, 50], 49.99, 0],
  [[50, 50], 50, 1],
  [[50, 50], 99.99, 1],
  [[0, 100], 0, 1],
  [[12.5, 87.5], 12.49, 0],
  [[12.5, 87.5], 12.5, 1],
  // Sums of these numbers are not exact in binary.
  [[0.1, 0.2, 99.7], 0.29, 1],
  [[0.1, 0.2, 99.7], 0.3, 2],
  [[33.33, 33.33, 33.34], 66.65, 1],
  [[33.33, 33.33, 33.34], 66.66, 2],
])('of %j a draw of %d leads to variant %i', (percentages, draw, index) => {
  expect(variantAt(variants(...percentages), draw)).toBe(index);
});

test('what percentages leave out goes to the last variant', () => {
  expect(variantAt(variants(30, 30), 99.99)).toBe(1);
});

test('draws have two decimals, are the same again, and differ between the splits of a trip', () => {
  const draws = Array.from({ length: 500 }, (_, n) => drawOf(`trip ${n}`, 1));
  for (const draw of draws) {
    expect(draw).toBeGreaterThanOrEqual(0);
    expect(draw).toBeLessThan(100);
    expect(draw).toBe(Number(draw.toFixed(2)));
  }
  expect(new Set(draws).size).toBeGreaterThan(400);
  expect(draws.map((_, n) => drawOf(`trip ${n}`, 1))).toEqual(draws);
  expect(draws.map((_, n) => drawOf(`trip ${n}`, 2))).not.toEqual(draws);
  // Trips under way keep the variant that they have taken, so these values must not change.
  expect([drawOf('trip 1', 1), drawOf('trip 1', 2)]).toEqual([57.06, 19.69]);
});
