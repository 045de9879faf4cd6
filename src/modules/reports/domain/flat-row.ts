/** A row of an answer as callers are shown it: dimensions and metrics side by side, by their keys. */
import type { MeasuredMetrics } from '../../metrics/domain/measured.js';
import type { DimensionValue, MetricRow } from '../../metrics/domain/question.js';

export type FlatRow = Readonly<Record<string, DimensionValue | number>>;

/** No source has a dimension and a metric of one key. What was not measured is null. */
export function flatRow({ dimensions, metrics }: MetricRow): FlatRow {
  return { ...dimensions, ...metrics };
}

/** The row with a number for each metric, as REST promises one. */
export function numberRow({ dimensions, metrics, measured }: MetricRow): FlatRow {
  return { ...dimensions, ...numbersOf(metrics, measured) };
}

/** What was not measured is what became known of it all the same, or 0. */
export function numbersOf(
  figures: Readonly<Record<string, number | null>>,
  measured: MeasuredMetrics,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(figures).map(([key, value]) => [key, value ?? measured[key]?.counted ?? 0]),
  );
}
