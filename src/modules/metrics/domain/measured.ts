/** How many of the messages that a metric covers had tracking or provider events: it is known for these alone. */
export interface Measured {
  /** Messages with measurement. */
  readonly measured: number;
  /** All messages that the metric covers. */
  readonly of: number;
  /**
   * The metric's count, if it is above 0 although no message was measured. For example, a message without open
   * tracking was clicked, which counts as opened.
   */
  readonly counted?: number;
}

/** By metric key; a missing metric was fully measured. */
export type MeasuredMetrics = Readonly<Record<string, Measured>>;

/** Whether the metric is unknown: it covers messages, and none was measured. */
export function isUnmeasured(known: Measured | undefined): boolean {
  return known !== undefined && known.measured <= 0 && known.of > 0;
}
