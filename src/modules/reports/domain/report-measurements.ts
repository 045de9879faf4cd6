/** How much of a report's data was measured. */
import type { MeasuredMetrics } from '../../metrics/domain/measured.js';
import type { MetricRow } from '../../metrics/domain/metric-query.js';

export interface ReportMeasurements {
  /** For metrics that were only partly measured, how much was. */
  readonly totals: MeasuredMetrics;
  /** The same for each row, in the order of the rows. */
  readonly rows: readonly MeasuredMetrics[];
}

/** Null if everything was measured. */
export function reportMeasurements({
  measured: totals,
  rows,
}: {
  readonly measured: MeasuredMetrics;
  readonly rows: readonly MetricRow[];
}): ReportMeasurements | null {
  const isAll = Object.keys(totals).length === 0 && rows.every(({ measured }) => isEmpty(measured));
  return isAll ? null : { totals, rows: rows.map(({ measured }) => measured) };
}

function isEmpty(measured: MeasuredMetrics): boolean {
  return Object.keys(measured).length === 0;
}
