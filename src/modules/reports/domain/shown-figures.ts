/** Figures in words, one way for pages, mails and charts: 12,480 · 43.20% · 12.5 h, and short 12.5k · 40% · 3 h. */
import type { MetricFormat } from './report-data.js';

const FULL: Readonly<Record<MetricFormat, Intl.NumberFormat>> = {
  number: new Intl.NumberFormat('en', { maximumFractionDigits: 2 }),
  percent: new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  hours: new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 2 }),
};
/** As many digits as the labels of an axis may need. */
const MOST_DIGITS = 12;
const SHORT_DIGITS = 3;

const UNITS: Readonly<Record<MetricFormat, string>> = { number: '', percent: '%', hours: ' h' };

/** What stands for a figure that nobody measured. */
export const UNMEASURED = '–';

/** A figure in full, with two decimals at most; rates always have them. */
export function figureInWords(value: number | null, format: MetricFormat): string {
  if (value === null) return UNMEASURED;
  return `${FULL[format].format(plain(value))}${UNITS[format]}`;
}

/**
 * A figure where there is little room.
 * @param digits how many digits count; the rest is rounded.
 */
export function shortFigure(value: number, format: MetricFormat, digits = SHORT_DIGITS): string {
  const written = new Intl.NumberFormat('en', {
    notation: 'compact',
    maximumSignificantDigits: digits,
  }).format(plain(value));
  return `${written.replace('K', 'k')}${UNITS[format]}`;
}

/** The labels of an axis: short, and no shorter than what tells its ticks apart and is true of each. */
export function tickLabels(ticks: readonly number[], format: MetricFormat): string[] {
  let digits = SHORT_DIGITS;
  while (digits < MOST_DIGITS && ticks.some((tick) => !isExact(tick, digits))) digits++;
  return ticks.map((tick) => shortFigure(tick, format, digits));
}

function isExact(value: number, digits: number): boolean {
  return Math.abs(Number(value.toPrecision(digits)) - value) <= Math.abs(value) * 1e-9;
}

/** Neither -0 nor what is no number at all. */
function plain(value: number): number {
  return Number.isFinite(value) && value !== 0 ? value : 0;
}

export type Direction = 'up' | 'down' | 'same' | 'none';

/** How a total has changed since the period before. Whether that is good is for the reader to say. */
export interface ShownChange {
  readonly direction: Direction;
  /** `▲ 12.5%`, `▼ 3%`, `no change`, `nothing before`. */
  readonly text: string;
  /** The same for those who hear it. */
  readonly words: string;
}

const CHANGE = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/**
 * @param change percent; null where there was nothing to compare with.
 * @param isMeasured whether the period before was measured.
 */
export function changeInWords(change: number | null, isMeasured = true): ShownChange {
  if (!isMeasured) return { direction: 'none', text: 'not measured before', words: 'not measured before' };
  if (change === null) return { direction: 'none', text: 'no previous data', words: 'no previous data' };
  const size = CHANGE.format(Math.abs(change));
  if (size === '0') return { direction: 'same', text: 'no change', words: 'no change' };
  return change > 0
    ? { direction: 'up', text: `▲ ${size}%`, words: `up by ${size}%` }
    : { direction: 'down', text: `▼ ${size}%`, words: `down by ${size}%` };
}
