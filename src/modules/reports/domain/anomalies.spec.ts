/** Anomalies are judged against the same weekdays of earlier weeks, and no single outlier shifts the band. */
import fc from 'fast-check';
import { DAY } from '../../../kernel/duration.js';
import {
  bandOf,
  MIN_PREVIOUS_VALUES,
  median,
  outliersOf,
  type SeriesPoint,
  WEEKS_BACK,
} from './anomalies.js';

const START = Date.parse('2026-01-05T00:00:00Z');
const days = (values: readonly number[]): SeriesPoint[] =>
  values.map((value, index) => ({ at: START + index * DAY, value }));

/** Weeks in which each weekday has its own usual value. */
const usual = (weeks: number): number[] =>
  Array.from({ length: weeks * 7 }, (_, day) => (day % 7 < 5 ? 1_000 : 50));

test('a quiet Sunday is none, a quiet Monday is one', () => {
  const values = usual(6);
  values[35] = 50;
  const found = outliersOf(days(values), START);
  expect(found).toEqual([{ at: START + 35 * DAY, value: 50, low: 900, high: 1_100 }]);
});

test('what is only compared with is not judged', () => {
  const values = usual(6);
  values[35] = 50;
  expect(outliersOf(days(values), START + 36 * DAY)).toEqual([]);
});

test('what was before the beginning is no past', () => {
  const values = [...Array.from({ length: 28 }, () => 0), ...usual(2)];
  expect(outliersOf(days(values), START)).toEqual([]);
});

test('too short a past says nothing', () => {
  expect(bandOf(Array.from({ length: MIN_PREVIOUS_VALUES - 1 }, () => 5))).toBeUndefined();
  expect(bandOf(Array.from({ length: MIN_PREVIOUS_VALUES }, () => 5))).toEqual({ low: 3, high: 7 });
});

test('a level moves its band with it', () => {
  expect(bandOf([0, 0, 0, 0])).toEqual({ low: 0, high: 2 });
  expect(bandOf([-10, -10, -10, -10])).toEqual({ low: -12, high: -8 });
});

const past = fc.array(fc.integer({ min: 0, max: 10_000 }), {
  minLength: 7 * MIN_PREVIOUS_VALUES,
  maxLength: 100,
});

test('the band holds the median, and one outlier among eight hardly moves it', () =>
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 90, max: 110 }), { minLength: WEEKS_BACK, maxLength: WEEKS_BACK }),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.nat(WEEKS_BACK - 1),
      (values, outlier, place) => {
        const band = bandOf(values.with(place, outlier))!;
        expect(band.low).toBeLessThanOrEqual(median(values.with(place, outlier)));
        expect(band.high).toBeGreaterThanOrEqual(median(values.with(place, outlier)));
        // All values but one lie within 20 of each other, and so do twice their deviations.
        expect(band.high).toBeLessThanOrEqual(110 + 3.5 * 1.4826 * 20);
        expect(band.low).toBeGreaterThanOrEqual(90 - 3.5 * 1.4826 * 20);
      },
    ),
  ));

test('a series that repeats itself week by week has none', () =>
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 7, maxLength: 7 }),
      fc.integer({ min: 2, max: 15 }),
      (week, weeks) => {
        const values = Array.from({ length: weeks * 7 }, (_, day) => week[day % 7]!);
        expect(outliersOf(days(values), START)).toEqual([]);
      },
    ),
  ));

test('every one that is found lies outside of its band, and the same values are found twice', () =>
  fc.assert(
    fc.property(past, (values) => {
      const found = outliersOf(days(values), START);
      for (const { value, low, high } of found) expect(value < low || value > high).toBe(true);
      expect(outliersOf(days(values), START)).toEqual(found);
    }),
  ));
