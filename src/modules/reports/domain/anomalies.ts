/**
 * Finds the anomalies of a series: values outside a band around the median of the same weekdays, or of the weeks,
 * before. The median and the median absolute deviation are robust: no single outlier shifts them.
 */
import { DAY } from '../../../kernel/duration.js';

/** A value of a period. A series is ordered and has no gaps. */
export interface SeriesPoint {
  /** The start of the period, a day or a week. */
  readonly at: number;
  readonly value: number;
}

export interface Outlier extends SeriesPoint {
  readonly low: number;
  readonly high: number;
}

/** How many previous weeks a value is compared with, and the minimum that must exist. */
export const WEEKS_BACK = 8;
export const MIN_PREVIOUS_VALUES = 4;

const WEEK = 7 * DAY;
/** Converts a median absolute deviation into a standard deviation, for normally distributed values. */
const MAD_TO_STANDARD_DEVIATION = 1.4826;
/** Half the width of the band, in standard deviations. */
const MAX_DEVIATIONS = 3.5;
/** Minimum half width, for when all values before are alike: a tenth of the median, and at least two. */
const MIN_BAND_SHARE = 0.1;
const MIN_BAND_WIDTH = 2;

/**
 * Returns the values outside their bands. Zeros before the first other value are ignored, since nothing was recorded
 * yet.
 * @param since earlier values only serve as a baseline and are not judged.
 */
export function outliersOf(series: readonly SeriesPoint[], since: number): Outlier[] {
  const firstNonZeroAt = series.find(({ value }) => value !== 0)?.at ?? Number.POSITIVE_INFINITY;
  const byTime = new Map(series.filter(({ at }) => at >= firstNonZeroAt).map(({ at, value }) => [at, value]));
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

/** The usual band after these values, never below 0 if none of them is; undefined if there are too few values. */
export function bandOf(
  before: readonly number[],
): { readonly low: number; readonly high: number } | undefined {
  if (before.length < MIN_PREVIOUS_VALUES) return undefined;
  const middle = median(before);
  const deviation = MAD_TO_STANDARD_DEVIATION * median(before.map((value) => Math.abs(value - middle)));
  const width = Math.max(MAX_DEVIATIONS * deviation, MIN_BAND_SHARE * Math.abs(middle), MIN_BAND_WIDTH);
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
