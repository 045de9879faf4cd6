/** When a recurring campaign is sent. */
import { HOUR, MINUTE } from '../../../kernel/duration.js';
import { offsetAt } from '../../../kernel/time-zone.js';
import { momentOf } from './send-moment.js';

export interface Recurrence {
  readonly frequency: 'daily' | 'weekly' | 'monthly';
  readonly dayOfWeek: number | null;
  readonly dayOfMonth: number | null;
  readonly hour: number;
  readonly minute: number;
  readonly timezone: string;
  readonly endsAt: Date | null;
  readonly maxInstances: number | null;
}

/** Days that are looked through for the next one: every month has the days that may be asked for. */
const FURTHEST = 62;

/** The next moment behind `after` at which clocks of the zone show what is asked for: see `momentOf` about changes of clocks. */
export function nextRun(recurrence: Recurrence, after: Date): Date {
  const { timezone, hour, minute } = recurrence;
  const today = new Date(after.getTime() + offsetAt(timezone, after.getTime()));
  for (let days = 0; days <= FURTHEST; days++) {
    const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + days));
    if (!isDayOf(recurrence, day)) continue;
    const moment = momentOf(timezone, day.getTime() + hour * HOUR + minute * MINUTE);
    if (moment > after.getTime()) return new Date(moment);
  }
  throw new RangeError('Every month has a 28th.');
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

/** @param day midnight of the zone's calendar, as though it were UTC's. */
function isDayOf({ frequency, dayOfWeek, dayOfMonth }: Recurrence, day: Date): boolean {
  if (frequency === 'weekly') return (day.getUTCDay() + 6) % 7 === dayOfWeek;
  return frequency === 'daily' || day.getUTCDate() === dayOfMonth;
}
