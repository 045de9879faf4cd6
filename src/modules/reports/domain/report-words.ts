/** What a report shows, in words: periods, values of dimensions, tiles and what is unusual. One way for pages, mails and charts. */
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

/** Characters of a name in a table. */
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

/** Dimensions whose values follow one another in time. */
const SEQUENCES: ReadonlySet<string> = new Set(['date', 'week', 'month', 'hour', 'day_of_week']);

export function isSequence({ key }: { readonly key: string }): boolean {
  return SEQUENCES.has(key);
}

/** `Mar 1 – 31, 2026`, or with its times where it is no whole days; all in UTC. */
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

/** Formatters put thin spaces around dashes, which some fonts and mail programs do not have. */
function plainSpaces(text: string): string {
  return text.replace(/[\u2009\u202f\u00a0]/g, ' ');
}

/**
 * A value of a dimension as people read it.
 * @param most characters at most.
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

/** The same for the tick of an axis; null where its full words are as short as can be. */
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

/** One figure of the whole period. */
export interface Tile {
  readonly label: string;
  readonly value: string;
  /** Null where nothing is compared. */
  readonly change: ShownChange | null;
  /** What it was before, null likewise, and where there was nothing to compare with. */
  readonly before: string | null;
  /** How much of it was measured, where not all of it was. */
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

/** What a dash means, in a sentence; null where none is shown. */
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

/** What stands in a table; figures stand to the right. */
export interface ShownTable {
  readonly columns: readonly ShownColumn[];
  readonly rows: readonly (readonly string[])[];
  /** Rows and columns that there are beside those shown; rows beyond the answer's own bound are not counted. */
  readonly moreRows: number;
  readonly moreColumns: number;
  /** The answer itself was cut. */
  readonly isTruncated: boolean;
}

export interface ShownColumn {
  readonly label: string;
  readonly isFigure: boolean;
  /** Its values are short, and stay on one line: figures and times. */
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

/** What a table does not show, in a sentence; null where it shows everything. */
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
