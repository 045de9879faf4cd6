/** A row of an answer as callers are shown it: dimensions and metrics side by side, by their keys. */
import type { DimensionValue, MetricRow } from '../../metrics/domain/question.js';

export type FlatRow = Readonly<Record<string, DimensionValue | number>>;

/** No source has a dimension and a metric of one key. */
export function flatRow({ dimensions, metrics }: MetricRow): FlatRow {
  return { ...dimensions, ...metrics };
}
