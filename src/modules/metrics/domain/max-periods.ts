/** Limits the empty rows of a file: each period of its range has a row, whether or not anything happened. */
import { DAY, HOUR } from '../../../kernel/duration.js';
import type { MetricQuery } from './metric-query.js';

/** Eleven years by hour, and more than the longest range by day. */
export const MAX_FILE_PERIODS = 100_000;

/** The maximum number of distinct values of each time dimension, for a number of days. */
const MAX_DISTINCT_VALUES: Readonly<Record<string, (days: number) => number>> = {
  month: (days) => Math.ceil(days / 28) + 1,
  week: (days) => Math.ceil(days / 7) + 1,
  date: (days) => days,
  day_of_week: () => 7,
  hour: () => 24,
};

/** The maximum number of periods in an answer; 1 without a time dimension. */
export function maxPeriodsOf({ dimensions, range }: Pick<MetricQuery, 'dimensions' | 'range'>): number {
  const within = (length: number): number =>
    Math.floor(range.to.getTime() / length) - Math.floor(range.from.getTime() / length) + 1;
  const days = within(DAY);
  const steps = dimensions.includes('hour') ? within(HOUR) : days;
  const combined = dimensions.reduce((product, key) => product * (MAX_DISTINCT_VALUES[key]?.(days) ?? 1), 1);
  return Math.min(steps, combined);
}
