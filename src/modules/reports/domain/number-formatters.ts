/** Formats numbers for pages, emails and charts: 12,480 · 43.20% · 12.5 h, and short: 12.5k · 40% · 3 h. */
import type { MetricFormat } from './report-data.js';

const FULL: Readonly<Record<MetricFormat, Intl.NumberFormat>> = {
  number: new Intl.NumberFormat('en', { maximumFractionDigits: 2 }),
  percent: new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  hours: new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 2 }),
};
/** Maximum number of digits that axis labels may need. */
const MAX_DIGITS = 12;
const SHORT_DIGITS = 3;

const UNITS: Readonly<Record<MetricFormat, string>> = { number: '', percent: '%', hours: ' h' };

/** Shown for a value that was not measured. */
export const UNMEASURED = '–';

/** Formats a number in full, with at most two decimals; rates always have two. */
export function formatMetricValue(value: number | null, format: MetricFormat): string {
  if (value === null) return UNMEASURED;
  return `${FULL[format].format(finiteOrZero(value))}${UNITS[format]}`;
}

/**
 * Formats a number for a small space.
 * @param digits significant digits; the rest is rounded.
 */
export function formatCompact(value: number, format: MetricFormat, digits = SHORT_DIGITS): string {
  const text = new Intl.NumberFormat('en', {
    notation: 'compact',
    maximumSignificantDigits: digits,
  }).format(finiteOrZero(value));
  return `${text.replace('K', 'k')}${UNITS[format]}`;
}

/** Formats the labels of an axis: as short as possible, while each is exact and differs from the others. */
export function tickLabels(ticks: readonly number[], format: MetricFormat): string[] {
  let digits = SHORT_DIGITS;
  while (digits < MAX_DIGITS && ticks.some((tick) => !isExact(tick, digits))) digits++;
  return ticks.map((tick) => formatCompact(tick, format, digits));
}

function isExact(value: number, digits: number): boolean {
  return Math.abs(Number(value.toPrecision(digits)) - value) <= Math.abs(value) * 1e-9;
}

/** Replaces -0, NaN and infinities with 0. */
function finiteOrZero(value: number): number {
  return Number.isFinite(value) && value !== 0 ? value : 0;
}

export type Direction = 'up' | 'down' | 'same' | 'none';

/** The change of a total since the previous period. Whether the change is good is for the reader to judge. */
export interface FormattedChange {
  readonly direction: Direction;
  /** `▲ 12.5%`, `▼ 3%`, `no change`, `nothing before`. */
  readonly text: string;
  /** The same for screen readers. */
  readonly words: string;
}

const CHANGE = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/**
 * @param change percent; null if there was no previous value.
 * @param isMeasured whether the previous period was measured.
 */
export function formatChange(change: number | null, isMeasured = true): FormattedChange {
  if (!isMeasured) return { direction: 'none', text: 'not measured before', words: 'not measured before' };
  if (change === null) return { direction: 'none', text: 'no previous data', words: 'no previous data' };
  const size = CHANGE.format(Math.abs(change));
  if (size === '0') return { direction: 'same', text: 'no change', words: 'no change' };
  return change > 0
    ? { direction: 'up', text: `▲ ${size}%`, words: `up by ${size}%` }
    : { direction: 'down', text: `▼ ${size}%`, words: `down by ${size}%` };
}
