/** A row of an answer as callers see it: dimensions and metrics in one object, by key. */
import type { MeasuredMetrics } from '../../metrics/domain/measured.js';
import type { DimensionValue, MetricRow } from '../../metrics/domain/metric-query.js';
import type { ReportData } from './report-data.js';

export type FlatRow = Readonly<Record<string, DimensionValue | number>>;

/** No source has a dimension and a metric with the same key. Values that were not measured are null. */
export function flatRow({ dimensions, metrics }: MetricRow): FlatRow {
  return { ...dimensions, ...metrics };
}

/** Returns the data with a number for each metric, as REST promises. */
export function withNumbers(data: ReportData): ReportData {
  return { ...inNumbers(data), comparison: data.comparison && inNumbers(data.comparison) };
}

function inNumbers<Result extends Pick<ReportData, 'totals' | 'measured' | 'rows'>>(result: Result): Result {
  return {
    ...result,
    totals: numericValues(result.totals, result.measured),
    rows: result.rows.map((row) => ({ ...row, metrics: numericValues(row.metrics, row.measured) })),
  };
}

/** Replaces a value that was not measured with what is known of it, or 0. */
function numericValues(
  values: Readonly<Record<string, number | null>>,
  measured: MeasuredMetrics,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, value ?? measured[key]?.counted ?? 0]),
  );
}
