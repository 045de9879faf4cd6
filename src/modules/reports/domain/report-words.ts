/**
 * Formats what a report shows as text: periods, dimension values, tiles and anomalies. Shared by pages, emails and
 * charts.
 */
import { DAY } from '../../../kernel/duration.js';
import { isUnmeasured, type Measured } from '../../metrics/domain/measured.js';
import type { DimensionValue, MetricRow } from '../../metrics/domain/question.js';
import type {
  Anomaly,
  MetricFormat,
  ReportData,
  ShownDimension,
  ShownMetric,
  ShownRange,
} from './report-data.js';
import { changeInWords, figureInWords, UNMEASURED, type ShownChange } from './shown-figures.js';
import { shownText } from './shown-text.js';

/** Maximum length of a name in a table, in characters. */
const LONGEST_NAME = 120;

const DATES = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const MOMENTS = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const TIMES = new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' });
const MONTHS = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const SHORT_DATES = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const SHORT_MONTHS = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Dimensions whose values follow each other in time. */
const SEQUENCES: ReadonlySet<string> = new Set(['date', 'week', 'month', 'hour', 'day_of_week']);

export function isSequence({ key }: { readonly key: string }): boolean {
  return SEQUENCES.has(key);
}

/** `Mar 1 – 31, 2026`, or with times if it does not consist of whole days; always in UTC. */
export function rangeInWords({ from, to, preset }: ShownRange): string {
  const beginsWithDay = from.getTime() % DAY === 0;
  if (beginsWithDay && (to.getTime() + 1) % DAY === 0) return plainSpaces(DATES.formatRange(from, to));
  if (beginsWithDay && to.getTime() - from.getTime() < DAY)
    return plainSpaces(`${DATES.format(from)}, until ${TIMES.format(to)} UTC`);
  const rolling = preset === null ? null : /^(\d+)d$/.exec(preset);
  if (rolling) {
    const days = rolling[1] === '1' ? '24 hours' : `${rolling[1]} days`;
    return plainSpaces(`${days} to ${MOMENTS.format(to)} UTC`);
  }
  return plainSpaces(`${MOMENTS.format(from)} – ${MOMENTS.format(to)} UTC`);
}

export function momentInWords(moment: Date): string {
  return plainSpaces(`${MOMENTS.format(moment)} UTC`);
}

/** Formatters put thin spaces around dashes, which some fonts and mail programs lack. */
function plainSpaces(text: string): string {
  return text.replace(/[\u2009\u202f\u00a0]/g, ' ');
}

/**
 * Formats a dimension value.
 * @param most maximum number of characters.
 */
export function valueInWords(
  { key }: { readonly key: string },
  value: DimensionValue,
  most = LONGEST_NAME,
): string {
  if (value === null || value === '') return '(none)';
  if (typeof value === 'object') return shownText(value.name, most) || '(unnamed)';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const day = dayOf(key, value);
  if (key === 'hour' && typeof value === 'number') return `${String(value).padStart(2, '0')}:00`;
  if (key === 'day_of_week' && typeof value === 'number') return WEEKDAYS[value] ?? String(value);
  if (day && key === 'date') return DATES.format(day);
  if (day && key === 'week') return `Week of ${DATES.format(day)}`;
  if (day && key === 'month') return MONTHS.format(day);
  return shownText(String(value), most) || '(unnamed)';
}

/** Formats the value for the tick of an axis; null if the full text is already as short as possible. */
export function shortTime(key: string, value: DimensionValue): string | null {
  if (key === 'hour' && typeof value === 'number') return `${String(value).padStart(2, '0')}:00`;
  if (key === 'day_of_week' && typeof value === 'number') return WEEKDAYS[value]?.slice(0, 3) ?? null;
  const day = dayOf(key, value);
  if (!day) return null;
  return key === 'month' ? SHORT_MONTHS.format(day) : SHORT_DATES.format(day);
}

/** The year of a value of a dimension of days, weeks or months. */
export function yearOf(key: string, value: DimensionValue): number | null {
  return dayOf(key, value)?.getUTCFullYear() ?? null;
}

function dayOf(key: string, value: DimensionValue): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}(-\d{2})?$/.test(value)) return null;
  if (key !== 'date' && key !== 'week' && key !== 'month') return null;
  const day = new Date(value.length === 7 ? `${value}-01T00:00:00Z` : `${value}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? null : day;
}

/** A value for the whole period. */
export interface Tile {
  readonly label: string;
  readonly value: string;
  /** Null without a comparison. */
  readonly change: ShownChange | null;
  /** The previous value; null without a comparison, and if there was no previous value. */
  readonly before: string | null;
  /** How much of it was measured, if not all. */
  readonly hint: string | null;
}

export function tilesOf({ metrics, totals, measured, comparison }: ReportData): Tile[] {
  return metrics.map(({ key, label, format }) => {
    const value = totals[key] ?? null;
    const shown = {
      label: shownText(label, LONGEST_NAME),
      value: figureInWords(value, format),
      hint: hintOf(measured[key]),
    };
    if (!comparison || value === null) return { ...shown, change: null, before: null };
    const before = comparison.totals[key] ?? null;
    const change = comparison.change[key] ?? null;
    return {
      ...shown,
      change: changeInWords(change, before !== null),
      before: change === null ? null : figureInWords(before, format),
    };
  });
}

function hintOf(known: Measured | undefined): string | null {
  if (!known) return null;
  if (isUnmeasured(known)) return 'Not measured';
  return `Measured for ${FIGURES.format(known.measured)} of ${FIGURES.format(known.of)} messages`;
}

/** A sentence that explains the dash for values that were not measured; null if none is shown. */
export function unmeasuredInWords({ metrics, totals, rows, comparison }: ReportData): string | null {
  const hasDash = (figures: Readonly<Record<string, number | null>>): boolean =>
    metrics.some(({ key }) => figures[key] === null);
  const isSome =
    hasDash(totals) ||
    (comparison !== null && hasDash(comparison.totals)) ||
    rows.some((row) => hasDash(row.metrics));
  return isSome
    ? `${UNMEASURED} means not measured: tracking was off, and the mail provider did not report it.`
    : null;
}

/** The content of a table. Numbers are aligned right. */
export interface ShownTable {
  readonly columns: readonly ShownColumn[];
  readonly rows: readonly (readonly string[])[];
  /** Rows and columns that are not shown; rows beyond the limit of the answer are not counted. */
  readonly moreRows: number;
  readonly moreColumns: number;
  /** Whether the answer itself was truncated. */
  readonly isTruncated: boolean;
}

export interface ShownColumn {
  readonly label: string;
  readonly isFigure: boolean;
  /** Whether its values are short and stay on one line: numbers and times. */
  readonly isShort: boolean;
}

export interface TableBounds {
  readonly rows: number;
  readonly columns: number;
}

export function tableOf(data: ReportData, bounds: TableBounds): ShownTable {
  const columns: Column[] = [
    ...data.dimensions.map((dimension) => ({ kind: 'dimension', dimension }) as const),
    ...data.metrics.map((metric) => ({ kind: 'metric', metric }) as const),
  ];
  const shown = columns.slice(0, bounds.columns);
  const rows = data.rows.slice(0, bounds.rows);
  return {
    columns: shown.map((column) => ({
      label: shownText(column.kind === 'metric' ? column.metric.label : column.dimension.label, LONGEST_NAME),
      isFigure: column.kind === 'metric',
      isShort: column.kind === 'metric' || isSequence(column.dimension),
    })),
    rows: rows.map((row) => shown.map((column) => cellOf(column, row))),
    moreRows: data.rows.length - rows.length,
    moreColumns: columns.length - shown.length,
    isTruncated: data.truncated,
  };
}

type Column =
  | { readonly kind: 'dimension'; readonly dimension: ShownDimension }
  | { readonly kind: 'metric'; readonly metric: ShownMetric };

function cellOf(column: Column, row: MetricRow): string {
  return column.kind === 'metric'
    ? figureInWords(row.metrics[column.metric.key] ?? null, column.metric.format)
    : valueInWords(column.dimension, row.dimensions[column.dimension.key] ?? null);
}

/** A sentence about what a table does not show; null if it shows everything. */
export function restInWords({ rows, moreRows, moreColumns, isTruncated }: ShownTable): string | null {
  const parts = [
    ...(moreRows > 0 || isTruncated
      ? [
          `the first ${FIGURES.format(rows.length)} rows of ${isTruncated ? 'more than ' : ''}${FIGURES.format(rows.length + moreRows)}`,
        ]
      : []),
    ...(moreColumns > 0
      ? [`${moreColumns} fewer ${moreColumns === 1 ? 'column' : 'columns'} than the report`]
      : []),
  ];
  return parts.length > 0 ? `Shown: ${parts.join(', and ')}.` : null;
}

const FIGURES = new Intl.NumberFormat('en');

/** `Bounce rate on Mar 12, 2026: 8.4%, above its usual 0.9% to 2.1%.` */
export function anomalyInWords(data: ReportData, anomaly: Anomaly): string {
  const metric = data.metrics.find(({ key }) => key === anomaly.metric);
  const format: MetricFormat = metric?.format ?? 'number';
  const time = data.dimensions.find(isSequence);
  const at = time ? valueInWords(time, anomaly.at) : shownText(anomaly.at, LONGEST_NAME);
  const when = time?.key === 'week' ? at.replace('Week of', 'in the week of') : `on ${at}`;
  const [value, low, high] = [anomaly.value, anomaly.low, anomaly.high].map((part) =>
    figureInWords(part, format),
  );
  const where = anomaly.value > anomaly.high ? 'above' : anomaly.value < anomaly.low ? 'below' : 'outside';
  const label = shownText(metric?.label ?? anomaly.metric, LONGEST_NAME);
  return `${label} ${when}: ${value}, ${where} its usual ${low} to ${high}.`;
}
