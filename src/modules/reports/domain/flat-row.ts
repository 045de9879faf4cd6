/** A row of an answer as callers see it: dimensions and metrics in one object, by key. */
import type { MeasuredMetrics } from '../../metrics/domain/measured.js';
import type { DimensionValue, MetricRow } from '../../metrics/domain/metric-query.js';

export type FlatRow = Readonly<Record<string, DimensionValue | number>>;

/** No source has a dimension and a metric with the same key. Values that were not measured are null. */
export function flatRow({ dimensions, metrics }: MetricRow): FlatRow {
  return { ...dimensions, ...metrics };
}

/** Returns the row with a number for each metric, as REST promises. */
export function numberRow({ dimensions, metrics, measured }: MetricRow): FlatRow {
  return { ...dimensions, ...numericValues(metrics, measured) };
}

/** Replaces a value that was not measured with what is known of it, or 0. */
export function numericValues(
  values: Readonly<Record<string, number | null>>,
  measured: MeasuredMetrics,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, value ?? measured[key]?.counted ?? 0]),
  );
}
