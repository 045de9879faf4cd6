import fc from 'fast-check';
import { samplePoints, MAX_POINTS } from './lines.js';

const figures = fc.array(fc.option(fc.integer({ min: -1_000, max: 1_000 })), {
  minLength: 1,
  maxLength: 2_000,
});

test('few points are all drawn', () => {
  expect(samplePoints([1, null, 3])).toEqual([0, 1, 2]);
  expect(samplePoints([])).toEqual([]);
  expect(samplePoints(new Array<number>(MAX_POINTS).fill(1))).toHaveLength(MAX_POINTS);
});

test('of many, no peak and no trough is lost, nor where it begins and ends', () => {
  fc.assert(
    fc.property(figures, fc.integer({ min: 4, max: 500 }), (values, most) => {
      const drawn = samplePoints(values, most);
      expect(drawn.length).toBeLessThanOrEqual(Math.max(most, 4));
      expect(drawn).toEqual([...new Set(drawn)].sort((a, b) => a - b));
      expect([drawn[0], drawn.at(-1)]).toEqual([0, values.length - 1]);
      const known = values.filter((value) => value !== null);
      if (known.length === 0) return;
      const shown = drawn.map((at) => values[at] ?? null).filter((value) => value !== null);
      expect([Math.min(...shown), Math.max(...shown)]).toEqual([Math.min(...known), Math.max(...known)]);
    }),
  );
});

test('a gap stays a gap', () => {
  const values = Array.from({ length: 3_000 }, (_, index) => (index >= 1_000 && index < 2_000 ? null : 5));
  const drawn = samplePoints(values);
  expect(drawn.some((at) => values[at] === null)).toBe(true);
});
