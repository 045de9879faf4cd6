/** How much of a report's figures was measured, beside the figures themselves. */
import type { MeasuredMetrics } from '../../metrics/domain/measured.js';
import type { MetricRow } from '../../metrics/domain/question.js';

export interface ShownMeasured {
  /** Of metrics of which not everything was measured, how much was. */
  readonly totals: MeasuredMetrics;
  /** The same of each row, in their order. */
  readonly rows: readonly MeasuredMetrics[];
}

/** Null where everything was measured. */
export function shownMeasured({
  measured: totals,
  rows,
}: {
  readonly measured: MeasuredMetrics;
  readonly rows: readonly MetricRow[];
}): ShownMeasured | null {
  const isAll = Object.keys(totals).length === 0 && rows.every(({ measured }) => isEmpty(measured));
  return isAll ? null : { totals, rows: rows.map(({ measured }) => measured) };
}

function isEmpty(measured: MeasuredMetrics): boolean {
  return Object.keys(measured).length === 0;
}
