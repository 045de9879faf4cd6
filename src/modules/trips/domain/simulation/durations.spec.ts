import fc from 'fast-check';
import { Durations } from './durations.js';

const of = (...seconds: number[]): Durations => {
  const durations = new Durations();
  for (const one of seconds) durations.add(one * 1_000, true);
  return durations;
};

test.each([
  ['nothing', [], null, null],
  ['one', [5], 5, 5],
  ['two: the lower of the middle ones', [1, 9], 9, 1],
  ['many alike', [3, 3, 3, 60], 60, 3],
])('%s', (_, seconds, longestSeconds, medianSeconds) => {
  expect(of(...seconds).stats()).toEqual({ longestSeconds, medianSeconds });
});

test('those that are not over count, and say nothing of how long it takes', () => {
  const durations = of(10);
  durations.add(90_000, false);
  expect([durations.count, durations.open, durations.stats()]).toEqual([
    2,
    1,
    { longestSeconds: 10, medianSeconds: 10 },
  ]);
});

test('the median has half of them on either side', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { minLength: 1 }), (seconds) => {
      const sorted = seconds.toSorted((a, b) => a - b);
      const { medianSeconds, longestSeconds } = of(...seconds).stats();
      expect([medianSeconds, longestSeconds]).toEqual([
        sorted[Math.ceil(sorted.length / 2) - 1],
        sorted.at(-1),
      ]);
    }),
  );
});
