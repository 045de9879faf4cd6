/** The schedule of a recurring campaign. */
import { nextRun, type Repetition } from '../../../kernel/recurrence.js';

export interface Recurrence extends Repetition {
  readonly endsAt: Date | null;
  readonly maxInstances: number | null;
}

/**
 * When the next instance starts; null if none is left.
 * @param runs the number of instances so far.
 */
export function nextInstance(recurrence: Recurrence, after: Date, runs: number): Date | null {
  const { endsAt, maxInstances } = recurrence;
  if (maxInstances !== null && runs >= maxInstances) return null;
  const next = nextRun(recurrence, after);
  return endsAt !== null && next > endsAt ? null : next;
}
