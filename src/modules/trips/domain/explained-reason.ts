/** Why an entry of a trail happened. */
export interface ExplainedReason {
  /** A stable code. */
  readonly reason: string;
  readonly detail: string;
}

/** A value from a trail's facts, as text. */
export function formatValue(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}
