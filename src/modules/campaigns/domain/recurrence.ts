/** When a recurring campaign is sent. */
import { nextRun, type Repetition } from '../../../kernel/recurrence.js';

export interface Recurrence extends Repetition {
  readonly endsAt: Date | null;
  readonly maxInstances: number | null;
}

/**
 * When the next instance begins; null where there is none any more.
 * @param runs instances that there are.
 */
export function nextInstance(recurrence: Recurrence, after: Date, runs: number): Date | null {
  const { endsAt, maxInstances } = recurrence;
  if (maxInstances !== null && runs >= maxInstances) return null;
  const next = nextRun(recurrence, after);
  return endsAt !== null && next > endsAt ? null : next;
}
