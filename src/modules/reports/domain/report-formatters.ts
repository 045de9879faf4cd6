/**
 * Formats what a report shows as text: periods, dimension values, tiles and anomalies. Shared by pages, emails and
 * charts.
 */
import { DAY } from '../../../kernel/duration.js';
import { isUnmeasured, type Measured } from '../../metrics/domain/measured.js';
import type { DimensionValue, MetricRow } from '../../metrics/domain/metric-query.js';
import type {
  Anomaly,
  MetricFormat,
  ReportData,
  ReportDimension,
  ReportMetric,
  ReportRange,
} from './report-data.js';
import { formatChange, formatMetricValue, UNMEASURED, type FormattedChange } from './number-formatters.js';
import { sanitizeText } from './sanitize-text.js';

/** Maximum length of a name in a table, in characters. */
const MAX_NAME_LENGTH = 120;

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
export function formatRange({ from, to, preset }: ReportRange): string {
  const startsWithDay = from.getTime() % DAY === 0;
  if (startsWithDay && (to.getTime() + 1) % DAY === 0) return plainSpaces(DATES.formatRange(from, to));
  if (startsWithDay && to.getTime() - from.getTime() < DAY)
    return plainSpaces(`${DATES.format(from)}, until ${TIMES.format(to)} UTC`);
  const rolling = preset === null ? null : /^(\d+)d$/.exec(preset);
  if (rolling) {
    const days = rolling[1] === '1' ? '24 hours' : `${rolling[1]} days`;
    return plainSpaces(`${days} to ${MOMENTS.format(to)} UTC`);
  }
  return plainSpaces(`${MOMENTS.format(from)} – ${MOMENTS.format(to)} UTC`);
}

export function formatMoment(moment: Date): string {
  return plainSpaces(`${MOMENTS.format(moment)} UTC`);
}

/** Formatters put thin spaces around dashes, which some fonts and mail programs lack. */
function plainSpaces(text: string): string {
  return text.replace(/[\u2009\u202f\u00a0]/g, ' ');
}

/**
 * Formats a dimension value.
 * @param maxLength maximum number of characters.
 */
export function formatDimensionValue(
  { key }: { readonly key: string },
  value: DimensionValue,
  maxLength = MAX_NAME_LENGTH,
): string {
  if (value === null || value === '') return '(none)';
  if (typeof value === 'object') return sanitizeText(value.name, maxLength) || '(unnamed)';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const day = dayOf(key, value);
  if (key === 'hour' && typeof value === 'number') return `${String(value).padStart(2, '0')}:00`;
  if (key === 'day_of_week' && typeof value === 'number') return WEEKDAYS[value] ?? String(value);
  if (day && key === 'date') return DATES.format(day);
  if (day && key === 'week') return `Week of ${DATES.format(day)}`;
  if (day && key === 'month') return MONTHS.format(day);
  return sanitizeText(String(value), maxLength) || '(unnamed)';
}

/** Formats the value for the tick of an axis; null if the full text is already as short as possible. */
export function formatShortTime(key: string, value: DimensionValue): string | null {
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
  readonly change: FormattedChange | null;
  /** The previous value; null without a comparison, and if there was no previous value. */
  readonly before: string | null;
  /** How much of it was measured, if not all. */
  readonly hint: string | null;
}

export function tilesOf({ metrics, totals, measured, comparison }: ReportData): Tile[] {
  return metrics.map(({ key, label, format }) => {
    const value = totals[key] ?? null;
    const tile = {
      label: sanitizeText(label, MAX_NAME_LENGTH),
      value: formatMetricValue(value, format),
      hint: hintOf(measured[key]),
    };
    if (!comparison || value === null) return { ...tile, change: null, before: null };
    const before = comparison.totals[key] ?? null;
    const change = comparison.change[key] ?? null;
    return {
      ...tile,
      change: formatChange(change, before !== null),
      before: change === null ? null : formatMetricValue(before, format),
    };
  });
}

function hintOf(measurement: Measured | undefined): string | null {
  if (!measurement) return null;
  if (isUnmeasured(measurement)) return 'Not measured';
  return `Measured for ${NUMBER_FORMAT.format(measurement.measured)} of ${NUMBER_FORMAT.format(measurement.of)} messages`;
}

/** A sentence that explains the dash for values that were not measured; null if none is shown. */
export function unmeasuredNote({ metrics, totals, rows, comparison }: ReportData): string | null {
  const hasDash = (values: Readonly<Record<string, number | null>>): boolean =>
    metrics.some(({ key }) => values[key] === null);
  const hasUnmeasured =
    hasDash(totals) ||
    (comparison !== null && hasDash(comparison.totals)) ||
    rows.some((row) => hasDash(row.metrics));
  return hasUnmeasured
    ? `${UNMEASURED} means not measured: tracking was off, and the mail provider did not report it.`
    : null;
}

/** The content of a table. Numbers are aligned right. */
export interface ReportTable {
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly string[])[];
  /** Rows and columns that are not shown; rows beyond the limit of the answer are not counted. */
  readonly moreRows: number;
  readonly moreColumns: number;
  /** Whether the answer itself was truncated. */
  readonly isTruncated: boolean;
}

export interface ReportColumn {
  readonly label: string;
  readonly isFigure: boolean;
  /** Whether its values are short and stay on one line: numbers and times. */
  readonly isShort: boolean;
}

export interface TableLimits {
  readonly rows: number;
  readonly columns: number;
}

export function tableOf(data: ReportData, limits: TableLimits): ReportTable {
  const columns: Column[] = [
    ...data.dimensions.map((dimension) => ({ kind: 'dimension', dimension }) as const),
    ...data.metrics.map((metric) => ({ kind: 'metric', metric }) as const),
  ];
  const shownColumns = columns.slice(0, limits.columns);
  const rows = data.rows.slice(0, limits.rows);
  return {
    columns: shownColumns.map((column) => ({
      label: sanitizeText(
        column.kind === 'metric' ? column.metric.label : column.dimension.label,
        MAX_NAME_LENGTH,
      ),
      isFigure: column.kind === 'metric',
      isShort: column.kind === 'metric' || isSequence(column.dimension),
    })),
    rows: rows.map((row) => shownColumns.map((column) => cellOf(column, row))),
    moreRows: data.rows.length - rows.length,
    moreColumns: columns.length - shownColumns.length,
    isTruncated: data.truncated,
  };
}

type Column =
  | { readonly kind: 'dimension'; readonly dimension: ReportDimension }
  | { readonly kind: 'metric'; readonly metric: ReportMetric };

function cellOf(column: Column, row: MetricRow): string {
  return column.kind === 'metric'
    ? formatMetricValue(row.metrics[column.metric.key] ?? null, column.metric.format)
    : formatDimensionValue(column.dimension, row.dimensions[column.dimension.key] ?? null);
}

/** A sentence about what a table does not show; null if it shows everything. */
export function omissionNote({ rows, moreRows, moreColumns, isTruncated }: ReportTable): string | null {
  const parts = [
    ...(moreRows > 0 || isTruncated
      ? [
          `the first ${NUMBER_FORMAT.format(rows.length)} rows of ${isTruncated ? 'more than ' : ''}${NUMBER_FORMAT.format(rows.length + moreRows)}`,
        ]
      : []),
    ...(moreColumns > 0
      ? [`${moreColumns} fewer ${moreColumns === 1 ? 'column' : 'columns'} than the report`]
      : []),
  ];
  return parts.length > 0 ? `Shown: ${parts.join(', and ')}.` : null;
}

const NUMBER_FORMAT = new Intl.NumberFormat('en');

/** `Bounce rate on Mar 12, 2026: 8.4%, above its usual 0.9% to 2.1%.` */
export function formatAnomaly(data: ReportData, anomaly: Anomaly): string {
  const metric = data.metrics.find(({ key }) => key === anomaly.metric);
  const format: MetricFormat = metric?.format ?? 'number';
  const time = data.dimensions.find(isSequence);
  const at = time ? formatDimensionValue(time, anomaly.at) : sanitizeText(anomaly.at, MAX_NAME_LENGTH);
  const when = time?.key === 'week' ? at.replace('Week of', 'in the week of') : `on ${at}`;
  const [value, low, high] = [anomaly.value, anomaly.low, anomaly.high].map((part) =>
    formatMetricValue(part, format),
  );
  const where = anomaly.value > anomaly.high ? 'above' : anomaly.value < anomaly.low ? 'below' : 'outside';
  const label = sanitizeText(metric?.label ?? anomaly.metric, MAX_NAME_LENGTH);
  return `${label} ${when}: ${value}, ${where} its usual ${low} to ${high}.`;
}
