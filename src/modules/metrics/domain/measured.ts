/** How much of what a metric covers was measured. Without a report or tracking, a message reveals nothing about it. */
export interface Measured {
  /** Messages with measurement. */
  readonly measured: number;
  /** All messages that the metric covers. */
  readonly of: number;
  /**
   * What became known although nothing was measured; it does not represent the whole. For example, a click shows that
   * its message was opened.
   */
  readonly counted?: number;
}

/** By metric key; a missing metric was fully measured. */
export type MeasuredMetrics = Readonly<Record<string, Measured>>;

/** Whether the metric is unknown: it covers messages, and none was measured. */
export function isUnmeasured(known: Measured | undefined): boolean {
  return known !== undefined && known.measured <= 0 && known.of > 0;
}
