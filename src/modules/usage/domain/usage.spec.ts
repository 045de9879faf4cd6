import { percentOf, periodOf, thresholdOf } from './usage.js';

test.each([
  [0, undefined],
  [799, undefined],
  [800, 80],
  [999, 80],
  [1_000, 100],
  [5_000, 100],
])('%i of 1,000 reach the threshold %s', (current, threshold) => {
  expect(thresholdOf({ current, maximum: 1_000 })).toBe(threshold);
});

test('small caps round to nobody’s favour, and no share of infinity is reached', () => {
  expect([3, 4, 5].map((current) => thresholdOf({ current, maximum: 5 }))).toEqual([undefined, 80, 100]);
  expect(thresholdOf({ current: 1e12, maximum: Number.POSITIVE_INFINITY })).toBeUndefined();
  expect([1, 1_234].map((current) => percentOf({ current, maximum: 30_000 }))).toEqual([0, 4.11]);
  expect(percentOf({ current: 9, maximum: Number.POSITIVE_INFINITY })).toBeNull();
});

test('a period is a month in UTC, from its renewal on', () => {
  const now = new Date('2026-12-31T23:59:59.999Z');
  const end = new Date('2027-01-01T00:00:00Z');
  expect(periodOf(now, null)).toEqual({ start: new Date('2026-12-01T00:00:00Z'), end });
  const renewed = new Date('2026-12-09T10:00:00Z');
  expect(periodOf(now, renewed)).toEqual({ start: renewed, end });
  expect(periodOf(now, new Date('2026-11-09T10:00:00Z')).start).toEqual(new Date('2026-12-01T00:00:00Z'));
  expect(periodOf(end, renewed).start).toEqual(end);
});
