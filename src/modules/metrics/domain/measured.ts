/** How much of what a figure is about was measured: messages of which nobody tells say nothing about it. */
export interface Measured {
  /** Messages of which it would be known. */
  readonly measured: number;
  /** All messages that it is about. */
  readonly of: number;
  /** What became known all the same, where it says nothing of the whole: of messages that were opened, those clicked in. */
  readonly counted?: number;
}

/** By the keys of metrics; one that is missing was measured throughout. */
export type MeasuredMetrics = Readonly<Record<string, Measured>>;

/** Whether a figure says nothing: there was something to measure, and nobody did. */
export function isUnmeasured(known: Measured | undefined): boolean {
  return known !== undefined && known.measured <= 0 && known.of > 0;
}
