/**
 * Decides what a report's chart draws: a shape that represents the values correctly, the axis, and the series. Values
 * with different units never share an axis, and values are combined into "Other" only if their sum is meaningful.
 */
import type { DimensionValue, MetricRow } from '../../../metrics/domain/metric-query.js';
import type { Anomaly, MetricFormat, ReportData, ReportDimension, ReportMetric } from '../report-data.js';
import { isSequence, formatShortTime, formatDimensionValue, yearOf } from '../report-formatters.js';
import { sanitizeText } from '../sanitize-text.js';

export type ChartShape = 'lines' | 'areas' | 'columns' | 'rows' | 'pie';

/** Maximum number of series, plus one for the rest. */
export const MAX_SERIES = 8;
/** Maximum number of categories on an axis, and of bars of all series together. */
const MAX_CATEGORIES = 12;
const MAX_BARS = 24;
/** Maximum number of columns; more are drawn as lines. */
const MAX_COLUMNS = 124;
const MAX_LABEL_LENGTH = 60;
const REST_LABEL = 'Other';

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
  const metrics = data.metrics.slice(0, MAX_CATEGORIES);
  const panels = byFormat(metrics).map(([format, group]): ChartPanel => {
    const labels = group.map(({ label }) => sanitizeText(label, MAX_LABEL_LENGTH));
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
    notes: omissionNotes('Metrics', metrics.length, data.metrics.length),
  };
}

/** One dimension: one series per metric. */
function ofMetrics(data: ReportData, axis: ReportDimension): ChartModel {
  const metrics = data.metrics.slice(0, MAX_SERIES);
  const notes = omissionNotes('Metrics', metrics.length, data.metrics.length);
  const [first] = metrics;
  const isTime = isSequence(axis);
  if (data.chartType === 'pie' && !isTime && first && isWhole(data, first, data.rows))
    return ofSlices(data, first, [axis]);
  const all = sorted(data.rows, axis);
  const maxRows = Math.min(MAX_CATEGORIES, Math.max(4, Math.floor(MAX_BARS / metrics.length)));
  const rows = isTime ? all : all.slice(0, maxRows);
  if (!isTime) notes.push(...omissionNotes(axis.label, rows.length, all.length, data.truncated));
  const before = data.comparison ? sorted(data.comparison.rows, axis) : null;
  const earlier = isTime ? null : new Map(before?.map((row) => [keyOf([axis], row), row]));
  const panels = byFormat(metrics).map(([format, group]): ChartPanel => ({
    format,
    points: rows.map((row) => pointOf(axis, row.dimensions[axis.key] ?? null)),
    series: group.map(({ key, label }) => ({
      label: sanitizeText(label, MAX_LABEL_LENGTH),
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
function ofParts(data: ReportData, axis: ReportDimension, others: readonly ReportDimension[]): ChartModel {
  const [metric] = data.metrics as [ReportMetric, ...ReportMetric[]];
  const isTime = isSequence(axis);
  if (data.chartType === 'pie' && !isTime && isWhole(data, metric, data.rows))
    return ofSlices(data, metric, data.dimensions);
  const isSum = isAdditive(data, metric);
  const { ranked, names } = partsOf(data.rows, others, metric, isSum);
  const shownParts = ranked.slice(0, MAX_SERIES);
  const hasRest = isSum && ranked.length > shownParts.length;
  const categories = categoriesOf(data.rows, axis);
  const maxCategories = Math.min(
    MAX_CATEGORIES,
    isSum ? MAX_CATEGORIES : Math.max(3, Math.floor(MAX_BARS / shownParts.length)),
  );
  const drawnCategories = isTime ? categories : categories.slice(0, maxCategories);
  const indexes = new Map(drawnCategories.map(({ key }, index) => [key, index]));
  const columnOf = new Map(shownParts.map((part, index) => [part, index]));
  // A part without data in a period has no row: a count is then 0, a rate unknown.
  const nothing = isSum ? 0 : null;
  const grid = Array.from({ length: shownParts.length + (hasRest ? 1 : 0) }, () =>
    new Array<number | null>(drawnCategories.length).fill(nothing),
  );
  for (const row of data.rows) {
    const index = indexes.get(keyOf([axis], row));
    const values = grid[columnOf.get(keyOf(others, row)) ?? shownParts.length];
    if (index === undefined || !values) continue;
    const value = row.metrics[metric.key] ?? null;
    if (value !== null) values[index] = (values[index] ?? 0) + value;
    else if (values[index] === 0) values[index] = null;
  }
  const panel: ChartPanel = {
    format: metric.format,
    points: drawnCategories.map(({ value }) => pointOf(axis, value)),
    series: grid.map((values, index) => ({
      label: index < shownParts.length ? (names.get(shownParts[index] ?? '') ?? '') : REST_LABEL,
      values,
      before: null,
      marked: [],
      isRest: index >= shownParts.length,
    })),
    isStacked: isSum && grid.flat().every((value) => (value ?? 0) >= 0),
  };
  const groupedBy = others.map(({ label }) => label.toLowerCase()).join(' and ');
  return {
    shape: isTime
      ? shapeOver(data, drawnCategories.length, drawnCategories.length * (panel.isStacked ? 1 : grid.length))
      : 'rows',
    heading: sanitizeText(`${metric.label} by ${groupedBy}`, MAX_LABEL_LENGTH),
    panels: [panel],
    notes: [
      ...(hasRest
        ? []
        : omissionNotes(
            others.map(({ label }) => label).join(' and '),
            shownParts.length,
            ranked.length,
            data.truncated,
          )),
      ...(isTime ? [] : omissionNotes(axis.label, drawnCategories.length, categories.length, data.truncated)),
      ...(data.metrics.length > 1 ? [`Drawn: ${sanitizeText(metric.label, MAX_LABEL_LENGTH)}`] : []),
      ...(hasRest && data.truncated ? ['Other: of the rows shown'] : []),
    ],
  };
}

/** Parts of a whole, the largest first, each a point of one series. */
function ofSlices(
  data: ReportData,
  metric: ReportMetric,
  dimensions: readonly ReportDimension[],
): ChartModel {
  const { ranked, names, sums } = partsOf(data.rows, dimensions, metric, true);
  const shownParts = ranked.slice(0, MAX_SERIES);
  const rest = ranked.slice(MAX_SERIES).reduce((sum, part) => sum + (sums.get(part) ?? 0), 0);
  const slices = [
    ...shownParts.map((part) => ({ label: names.get(part) ?? '', value: sums.get(part) ?? 0 })),
    ...(rest > 0 ? [{ label: REST_LABEL, value: rest }] : []),
  ].filter(({ value }) => value > 0);
  return {
    shape: 'pie',
    heading: sanitizeText(
      `${metric.label} by ${dimensions.map(({ label }) => label.toLowerCase()).join(' and ')}`,
      MAX_LABEL_LENGTH,
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
      ...(data.metrics.length > 1 ? [`Drawn: ${sanitizeText(metric.label, MAX_LABEL_LENGTH)}`] : []),
      ...(data.truncated ? ['Of the rows shown'] : []),
    ],
  };
}

/** A single period cannot form a line. */
function shapeOver({ chartType }: ReportData, periods: number, columns: number): ChartShape {
  if (periods === 1) return 'columns';
  if (chartType === 'line') return 'lines';
  if (chartType === 'area') return 'areas';
  return columns > MAX_COLUMNS ? 'lines' : 'columns';
}

/** Whether rows of a metric can be added up: not rates, and not people or contacts that several rows count. */
function isAdditive({ dataSource, dimensions }: ReportData, { key, format }: ReportMetric): boolean {
  return (
    format === 'number' &&
    !(dataSource === 'events' && key === 'contacts') &&
    !dimensions.some((dimension) => dimension.key === 'tag')
  );
}

function isWhole(data: ReportData, metric: ReportMetric, rows: readonly MetricRow[]): boolean {
  return isAdditive(data, metric) && rows.every((row) => (row.metrics[metric.key] ?? 0) >= 0);
}

interface Parts {
  /** Keys, the largest first. */
  readonly ranked: readonly string[];
  readonly names: ReadonlyMap<string, string>;
  readonly sums: ReadonlyMap<string, number>;
}

/** @param isSum whether a part is ranked by the sum of its values; otherwise by the largest. */
function partsOf(
  rows: readonly MetricRow[],
  dimensions: readonly ReportDimension[],
  { key }: ReportMetric,
  isSum: boolean,
): Parts {
  const names = new Map<string, string>();
  const sums = new Map<string, number>();
  for (const row of rows) {
    const part = keyOf(dimensions, row);
    const value = row.metrics[key] ?? 0;
    const previous = sums.get(part);
    sums.set(part, previous === undefined ? value : isSum ? previous + value : Math.max(previous, value));
    if (previous === undefined) names.set(part, nameOf(dimensions, row));
  }
  const ranked = [...sums].sort(([, a], [, b]) => b - a).map(([part]) => part);
  return { ranked, names, sums };
}

function nameOf(dimensions: readonly ReportDimension[], row: MetricRow): string {
  const names = dimensions.map((dimension) =>
    formatDimensionValue(dimension, row.dimensions[dimension.key] ?? null, MAX_LABEL_LENGTH),
  );
  return sanitizeText(names.join(' · '), MAX_LABEL_LENGTH);
}

/** Joins dimension values into a key; a flow is identified by its id if it has one. */
function keyOf(dimensions: readonly ReportDimension[], row: MetricRow): string {
  return JSON.stringify(
    dimensions.map(({ key }) => {
      const value = row.dimensions[key] ?? null;
      return value !== null && typeof value === 'object'
        ? [value.id, value.id === null ? value.name : '']
        : value;
    }),
  );
}

interface Category {
  readonly key: string;
  readonly value: DimensionValue;
}

/** The distinct values of a dimension: sorted by time, or in order of appearance. */
function categoriesOf(rows: readonly MetricRow[], axis: ReportDimension): Category[] {
  const categories = new Map<string, Category>();
  for (const row of sorted(rows, axis)) {
    const key = keyOf([axis], row);
    if (!categories.has(key)) categories.set(key, { key, value: row.dimensions[axis.key] ?? null });
  }
  return [...categories.values()];
}

function sorted(rows: readonly MetricRow[], axis: ReportDimension): readonly MetricRow[] {
  if (!isSequence(axis)) return rows;
  const timeOf = ({ dimensions }: MetricRow): DimensionValue => dimensions[axis.key] ?? null;
  return rows.toSorted((a, b) => compareTime(timeOf(a), timeOf(b)));
}

/** Hours and weekdays are numbers, days and months are strings; other values have no order. */
function compareTime(a: DimensionValue, b: DimensionValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return 0;
}

function pointOf(axis: ReportDimension, value: DimensionValue): ChartPoint {
  const label = formatDimensionValue(axis, value, MAX_LABEL_LENGTH);
  return { label, short: formatShortTime(axis.key, value) ?? label, year: yearOf(axis.key, value) };
}

function markedOf(
  { anomalies }: ReportData,
  metric: string,
  rows: readonly MetricRow[],
  axis: ReportDimension,
): MarkedPoint[] {
  const indexes = new Map(rows.map((row, index) => [row.dimensions[axis.key], index]));
  return anomalies
    .filter((anomaly) => anomaly.metric === metric)
    .map((anomaly) => ({ index: indexes.get(anomaly.at) ?? -1, anomaly }))
    .filter(({ index }) => index >= 0);
}

function byFormat(metrics: readonly ReportMetric[]): [MetricFormat, readonly ReportMetric[]][] {
  const formats = [...new Set(metrics.map(({ format }) => format))];
  return formats.map((format) => [format, metrics.filter((metric) => metric.format === format)]);
}

function omissionNotes(what: string, shown: number, all: number, isTruncated = false): string[] {
  if (shown >= all && !isTruncated) return [];
  const total = isTruncated ? `more than ${all}` : String(all);
  return [`${sanitizeText(what, MAX_LABEL_LENGTH)}: ${shown} of ${total} shown`];
}
