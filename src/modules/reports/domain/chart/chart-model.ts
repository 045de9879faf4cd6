/**
 * Decides what a report's chart draws: a shape that represents the values correctly, the axis, and the series. Values
 * with different units never share an axis, and values are combined into "Other" only if their sum is meaningful.
 */
import type { DimensionValue, MetricRow } from '../../../metrics/domain/question.js';
import type { Anomaly, MetricFormat, ReportData, ShownDimension, ShownMetric } from '../report-data.js';
import { isSequence, shortTime, valueInWords, yearOf } from '../report-words.js';
import { shownText } from '../shown-text.js';

export type ChartShape = 'lines' | 'areas' | 'columns' | 'rows' | 'pie';

/** Maximum number of series, plus one for the rest. */
export const MOST_SERIES = 8;
/** Maximum number of categories on an axis, and of bars of all series together. */
const MOST_CATEGORIES = 12;
const MOST_BARS = 24;
/** Maximum number of columns; more are drawn as lines. */
const MOST_COLUMNS = 124;
const LONGEST_LABEL = 60;
const REST = 'Other';

/** A point on the axis. */
export interface ChartPoint {
  readonly label: string;
  /** The label of a tick on a time axis. */
  readonly short: string;
  readonly year: number | null;
}

export interface MarkedPoint {
  readonly index: number;
  readonly anomaly: Anomaly;
}

export interface ChartSeries {
  readonly label: string;
  /** One value per point; null if unknown. */
  readonly values: readonly (number | null)[];
  /** Values of the previous period at the same points; null without a comparison. */
  readonly before: readonly (number | null)[] | null;
  readonly marked: readonly MarkedPoint[];
  /** Whether this series combines everything without a separate series. */
  readonly isRest: boolean;
}

/** Series with the same unit, on one axis. */
export interface ChartPanel {
  readonly format: MetricFormat;
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  /** Whether the series are parts of a whole and are stacked. */
  readonly isStacked: boolean;
}

export interface ChartModel {
  readonly shape: ChartShape;
  /** What all series have in common, if their labels do not show it. */
  readonly heading: string | null;
  readonly panels: readonly ChartPanel[];
  /** Sentences about what is not drawn. */
  readonly notes: readonly string[];
}

/** Returns the chart of a report's chart_type; null for a table, and if there is nothing to draw. */
export function chartModel(data: ReportData): ChartModel | null {
  if (data.chartType === 'table' || data.metrics.length === 0) return null;
  const model = modelOf(data);
  const values = model.panels.flatMap(({ series }) => series.flatMap((one) => one.values));
  return values.some((value) => value !== null && value !== 0) ? model : null;
}

function modelOf(data: ReportData): ChartModel {
  const axis = data.dimensions.find(isSequence) ?? data.dimensions[0];
  if (!axis) return ofTotals(data);
  const others = data.dimensions.filter((dimension) => dimension !== axis);
  return others.length === 0 ? ofMetrics(data, axis) : ofParts(data, axis, others);
}

/** Without dimensions: one row per metric. */
function ofTotals(data: ReportData): ChartModel {
  const metrics = data.metrics.slice(0, MOST_CATEGORIES);
  const panels = byFormat(metrics).map(([format, group]): ChartPanel => {
    const labels = group.map(({ label }) => shownText(label, LONGEST_LABEL));
    return {
      format,
      points: labels.map((label) => ({ label, short: label, year: null })),
      series: [
        {
          label: 'This period',
          values: group.map(({ key }) => data.totals[key] ?? null),
          before: data.comparison ? group.map(({ key }) => data.comparison?.totals[key] ?? null) : null,
          marked: [],
          isRest: false,
        },
      ],
      isStacked: false,
    };
  });
  return {
    shape: 'rows',
    heading: null,
    panels,
    notes: fewer('Metrics', metrics.length, data.metrics.length),
  };
}

/** One dimension: one series per metric. */
function ofMetrics(data: ReportData, axis: ShownDimension): ChartModel {
  const metrics = data.metrics.slice(0, MOST_SERIES);
  const notes = fewer('Metrics', metrics.length, data.metrics.length);
  const [first] = metrics;
  const isTime = isSequence(axis);
  if (data.chartType === 'pie' && !isTime && first && isWhole(data, first, data.rows))
    return ofSlices(data, first, [axis]);
  const all = sorted(data.rows, axis);
  const most = Math.min(MOST_CATEGORIES, Math.max(4, Math.floor(MOST_BARS / metrics.length)));
  const rows = isTime ? all : all.slice(0, most);
  if (!isTime) notes.push(...fewer(axis.label, rows.length, all.length, data.truncated));
  const before = data.comparison ? sorted(data.comparison.rows, axis) : null;
  const earlier = isTime ? null : new Map(before?.map((row) => [keyOf([axis], row), row]));
  const panels = byFormat(metrics).map(([format, group]): ChartPanel => ({
    format,
    points: rows.map((row) => pointOf(axis, row.dimensions[axis.key] ?? null)),
    series: group.map(({ key, label }) => ({
      label: shownText(label, LONGEST_LABEL),
      values: rows.map((row) => row.metrics[key] ?? null),
      before:
        before &&
        rows.map(
          (row, index) => (earlier ? earlier.get(keyOf([axis], row)) : before[index])?.metrics[key] ?? null,
        ),
      marked: isTime ? markedOf(data, key, rows, axis) : [],
      isRest: false,
    })),
    isStacked: false,
  }));
  return {
    shape: isTime ? shapeOver(data, rows.length, rows.length * metrics.length) : 'rows',
    heading: null,
    panels,
    notes,
  };
}

/** Several dimensions: one series of the first metric per value of the other dimensions. */
function ofParts(data: ReportData, axis: ShownDimension, others: readonly ShownDimension[]): ChartModel {
  const [metric] = data.metrics as [ShownMetric, ...ShownMetric[]];
  const isTime = isSequence(axis);
  if (data.chartType === 'pie' && !isTime && isWhole(data, metric, data.rows))
    return ofSlices(data, metric, data.dimensions);
  const isSum = isAdditive(data, metric);
  const { ranked, named } = partsOf(data.rows, others, metric, isSum);
  const shown = ranked.slice(0, MOST_SERIES);
  const hasRest = isSum && ranked.length > shown.length;
  const places = placesOf(data.rows, axis);
  const most = Math.min(
    MOST_CATEGORIES,
    isSum ? MOST_CATEGORIES : Math.max(3, Math.floor(MOST_BARS / shown.length)),
  );
  const drawn = isTime ? places : places.slice(0, most);
  const indexes = new Map(drawn.map(({ key }, index) => [key, index]));
  const columnOf = new Map(shown.map((part, index) => [part, index]));
  // A part without data in a period has no row: a count is then 0, a rate unknown.
  const nothing = isSum ? 0 : null;
  const grid = Array.from({ length: shown.length + (hasRest ? 1 : 0) }, () =>
    new Array<number | null>(drawn.length).fill(nothing),
  );
  for (const row of data.rows) {
    const index = indexes.get(keyOf([axis], row));
    const values = grid[columnOf.get(keyOf(others, row)) ?? shown.length];
    if (index === undefined || !values) continue;
    const value = row.metrics[metric.key] ?? null;
    if (value !== null) values[index] = (values[index] ?? 0) + value;
    else if (values[index] === 0) values[index] = null;
  }
  const panel: ChartPanel = {
    format: metric.format,
    points: drawn.map(({ value }) => pointOf(axis, value)),
    series: grid.map((values, index) => ({
      label: index < shown.length ? (named.get(shown[index] ?? '') ?? '') : REST,
      values,
      before: null,
      marked: [],
      isRest: index >= shown.length,
    })),
    isStacked: isSum && grid.flat().every((value) => (value ?? 0) >= 0),
  };
  const about = others.map(({ label }) => label.toLowerCase()).join(' and ');
  return {
    shape: isTime
      ? shapeOver(data, drawn.length, drawn.length * (panel.isStacked ? 1 : grid.length))
      : 'rows',
    heading: shownText(`${metric.label} by ${about}`, LONGEST_LABEL),
    panels: [panel],
    notes: [
      ...(hasRest
        ? []
        : fewer(others.map(({ label }) => label).join(' and '), shown.length, ranked.length, data.truncated)),
      ...(isTime ? [] : fewer(axis.label, drawn.length, places.length, data.truncated)),
      ...(data.metrics.length > 1 ? [`Drawn: ${shownText(metric.label, LONGEST_LABEL)}`] : []),
      ...(hasRest && data.truncated ? ['Other: of the rows shown'] : []),
    ],
  };
}

/** Parts of a whole, the largest first, each a point of one series. */
function ofSlices(data: ReportData, metric: ShownMetric, dimensions: readonly ShownDimension[]): ChartModel {
  const { ranked, named, sums } = partsOf(data.rows, dimensions, metric, true);
  const shown = ranked.slice(0, MOST_SERIES);
  const rest = ranked.slice(MOST_SERIES).reduce((sum, part) => sum + (sums.get(part) ?? 0), 0);
  const slices = [
    ...shown.map((part) => ({ label: named.get(part) ?? '', value: sums.get(part) ?? 0 })),
    ...(rest > 0 ? [{ label: REST, value: rest }] : []),
  ].filter(({ value }) => value > 0);
  return {
    shape: 'pie',
    heading: shownText(
      `${metric.label} by ${dimensions.map(({ label }) => label.toLowerCase()).join(' and ')}`,
      LONGEST_LABEL,
    ),
    panels: [
      {
        format: metric.format,
        points: slices.map(({ label }) => ({ label, short: label, year: null })),
        series: [
          {
            label: metric.label,
            values: slices.map(({ value }) => value),
            before: null,
            marked: [],
            isRest: false,
          },
        ],
        isStacked: true,
      },
    ],
    notes: [
      ...(data.metrics.length > 1 ? [`Drawn: ${shownText(metric.label, LONGEST_LABEL)}`] : []),
      ...(data.truncated ? ['Of the rows shown'] : []),
    ],
  };
}

/** A single period cannot form a line. */
function shapeOver({ chartType }: ReportData, periods: number, columns: number): ChartShape {
  if (periods === 1) return 'columns';
  if (chartType === 'line') return 'lines';
  if (chartType === 'area') return 'areas';
  return columns > MOST_COLUMNS ? 'lines' : 'columns';
}

/** Whether rows of a metric can be added up: not rates, and not people or contacts that several rows count. */
function isAdditive({ dataSource, dimensions }: ReportData, { key, format }: ShownMetric): boolean {
  return (
    format === 'number' &&
    !(dataSource === 'events' && key === 'contacts') &&
    !dimensions.some((dimension) => dimension.key === 'tag')
  );
}

function isWhole(data: ReportData, metric: ShownMetric, rows: readonly MetricRow[]): boolean {
  return isAdditive(data, metric) && rows.every((row) => (row.metrics[metric.key] ?? 0) >= 0);
}

interface Parts {
  /** Keys, the largest first. */
  readonly ranked: readonly string[];
  readonly named: ReadonlyMap<string, string>;
  readonly sums: ReadonlyMap<string, number>;
}

/** @param isSum whether a part is ranked by the sum of its values; otherwise by the largest. */
function partsOf(
  rows: readonly MetricRow[],
  dimensions: readonly ShownDimension[],
  { key }: ShownMetric,
  isSum: boolean,
): Parts {
  const named = new Map<string, string>();
  const sums = new Map<string, number>();
  for (const row of rows) {
    const part = keyOf(dimensions, row);
    const value = row.metrics[key] ?? 0;
    const known = sums.get(part);
    sums.set(part, known === undefined ? value : isSum ? known + value : Math.max(known, value));
    if (known === undefined) named.set(part, nameOf(dimensions, row));
  }
  const ranked = [...sums].sort(([, a], [, b]) => b - a).map(([part]) => part);
  return { ranked, named, sums };
}

function nameOf(dimensions: readonly ShownDimension[], row: MetricRow): string {
  const names = dimensions.map((dimension) =>
    valueInWords(dimension, row.dimensions[dimension.key] ?? null, LONGEST_LABEL),
  );
  return shownText(names.join(' · '), LONGEST_LABEL);
}

/** Joins dimension values into a key; a flow is identified by its id if it has one. */
function keyOf(dimensions: readonly ShownDimension[], row: MetricRow): string {
  return JSON.stringify(
    dimensions.map(({ key }) => {
      const value = row.dimensions[key] ?? null;
      return value !== null && typeof value === 'object'
        ? [value.id, value.id === null ? value.name : '']
        : value;
    }),
  );
}

interface Place {
  readonly key: string;
  readonly value: DimensionValue;
}

/** The distinct values of a dimension: sorted by time, or in order of appearance. */
function placesOf(rows: readonly MetricRow[], axis: ShownDimension): Place[] {
  const places = new Map<string, Place>();
  for (const row of sorted(rows, axis)) {
    const key = keyOf([axis], row);
    if (!places.has(key)) places.set(key, { key, value: row.dimensions[axis.key] ?? null });
  }
  return [...places.values()];
}

function sorted(rows: readonly MetricRow[], axis: ShownDimension): readonly MetricRow[] {
  if (!isSequence(axis)) return rows;
  const timeOf = ({ dimensions }: MetricRow): DimensionValue => dimensions[axis.key] ?? null;
  return rows.toSorted((a, b) => inTime(timeOf(a), timeOf(b)));
}

/** Hours and weekdays are numbers, days and months are strings; other values have no order. */
function inTime(a: DimensionValue, b: DimensionValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return 0;
}

function pointOf(axis: ShownDimension, value: DimensionValue): ChartPoint {
  const label = valueInWords(axis, value, LONGEST_LABEL);
  return { label, short: shortTime(axis.key, value) ?? label, year: yearOf(axis.key, value) };
}

function markedOf(
  { anomalies }: ReportData,
  metric: string,
  rows: readonly MetricRow[],
  axis: ShownDimension,
): MarkedPoint[] {
  const indexes = new Map(rows.map((row, index) => [row.dimensions[axis.key], index]));
  return anomalies
    .filter((anomaly) => anomaly.metric === metric)
    .map((anomaly) => ({ index: indexes.get(anomaly.at) ?? -1, anomaly }))
    .filter(({ index }) => index >= 0);
}

function byFormat(metrics: readonly ShownMetric[]): [MetricFormat, readonly ShownMetric[]][] {
  const formats = [...new Set(metrics.map(({ format }) => format))];
  return formats.map((format) => [format, metrics.filter((metric) => metric.format === format)]);
}

function fewer(what: string, shown: number, all: number, isTruncated = false): string[] {
  if (shown >= all && !isTruncated) return [];
  const total = isTruncated ? `more than ${all}` : String(all);
  return [`${shownText(what, LONGEST_LABEL)}: ${shown} of ${total} shown`];
}
