/**
 * Which values of a series are out of the ordinary: outside of a band about the median of the same weekdays, or of the weeks,
 * before. The median and the absolute deviations from it are moved by no single outlier.
 */
import { DAY } from '../../../kernel/duration.js';

/** A value of a period, in order and without gaps. */
export interface SeriesPoint {
  /** The first moment of the period, a day or a week. */
  readonly at: number;
  readonly value: number;
}

export interface Outlier extends SeriesPoint {
  readonly low: number;
  readonly high: number;
}

/** How many weeks back a value is compared with, and how many of them there must be at least. */
export const WEEKS_BACK = 8;
export const FEWEST_BEFORE = 4;

const WEEK = 7 * DAY;
/** Turns a median absolute deviation into a standard deviation, where values are spread normally. */
const NORMAL = 1.4826;
/** Deviations on either side that are still ordinary. */
const WIDTH = 3.5;
/** Where all values before are alike, a tenth of them, and not less than two, is ordinary all the same. */
const LEAST_SHARE = 0.1;
const LEAST_WIDTH = 2;

/**
 * The values outside of their bands. What stands before the first value that is not 0 was before the beginning, and says nothing.
 * @param since values before are compared with, and not judged.
 */
export function outliersOf(series: readonly SeriesPoint[], since: number): Outlier[] {
  const beginning = series.find(({ value }) => value !== 0)?.at ?? Number.POSITIVE_INFINITY;
  const byTime = new Map(series.filter(({ at }) => at >= beginning).map(({ at, value }) => [at, value]));
  return series.flatMap((point) => {
    if (point.at < since) return [];
    const before = Array.from({ length: WEEKS_BACK }, (_, index) =>
      byTime.get(point.at - (index + 1) * WEEK),
    ).filter((value) => value !== undefined);
    const band = bandOf(before);
    if (!band || (point.value >= band.low && point.value <= band.high)) return [];
    return [{ ...point, ...band }];
  });
}

/** What is ordinary after these values, never below 0 where none of them is; undefined where there are too few. */
export function bandOf(
  before: readonly number[],
): { readonly low: number; readonly high: number } | undefined {
  if (before.length < FEWEST_BEFORE) return undefined;
  const middle = median(before);
  const deviation = NORMAL * median(before.map((value) => Math.abs(value - middle)));
  const width = Math.max(WIDTH * deviation, LEAST_SHARE * Math.abs(middle), LEAST_WIDTH);
  const floor = before.every((value) => value >= 0) ? 0 : Number.NEGATIVE_INFINITY;
  return { low: rounded(Math.max(floor, middle - width)), high: rounded(middle + width) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
