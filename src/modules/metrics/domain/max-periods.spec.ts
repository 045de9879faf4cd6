import { DAY } from '../../../kernel/duration.js';
import { maxPeriodsOf } from './max-periods.js';

const START = Date.parse('2026-03-02T00:00:00Z');
const days = (count: number): { from: Date; to: Date } => ({
  from: new Date(START),
  to: new Date(START + count * DAY - 1),
});

test.each([
  [[], 30, 1],
  [['flow'], 30, 1],
  [['date'], 30, 30],
  [['week'], 1, 1],
  [['week'], 28, 5],
  [['week'], 29, 6],
  [['month'], 28, 2],
  [['month'], 365, 15],
  [['month', 'hour'], 28, 48],
  [['date', 'template'], 36_500, 36_500],
  [['date', 'hour'], 30, 720],
  [['hour'], 3_000, 24],
  [['hour', 'day_of_week'], 3_000, 168],
  [['day_of_week', 'date'], 30, 30],
  [['month', 'week', 'date', 'hour'], 365, 8_760],
] as const)('%j of %i days: %i', (dimensions, count, periods) => {
  expect(maxPeriodsOf({ dimensions, range: days(count) })).toBe(periods);
});
