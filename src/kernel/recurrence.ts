/**
 * When what comes again and again comes: by clocks on the wall of a time zone, once a period, whatever these clocks do. The
 * one rule of the product, for campaigns and for mailed reports.
 */
import { DAY, HOUR, MINUTE } from './duration.js';
import { offsetAt } from './time-zone.js';

/** What repeats: each day, each week or each month. */
export interface Repetition {
  readonly frequency: 'daily' | 'weekly' | 'monthly';
  /** 0 Monday to 6 Sunday; of weekly ones. */
  readonly dayOfWeek: number | null;
  /** 1 to 28; of monthly ones. */
  readonly dayOfMonth: number | null;
  readonly hour: number;
  readonly minute: number;
  /** A name that isTimeZone holds for. */
  readonly timezone: string;
}

/** Days that are looked through for the next one: every month has the days that may be asked for. */
const FURTHEST = 62;

/** The next moment behind `after` at which clocks of the zone show what is asked for: see `momentOf` about changes of clocks. */
export function nextRun(repetition: Repetition, after: Date): Date {
  const today = clockOf(repetition.timezone, after);
  // The run of a day may come the day after, where clocks are put forward over midnight.
  for (let days = -1; days <= FURTHEST; days++) {
    const moment = runOf(repetition, today, days);
    if (moment !== undefined && moment > after.getTime()) return new Date(moment);
  }
  throw new RangeError('Every month has a 28th.');
}

/** The last moment, not behind `until`, at which there was a run: that of the period that `until` is in. */
export function latestRun(repetition: Repetition, until: Date): Date {
  const today = clockOf(repetition.timezone, until);
  for (let days = 1; days >= -FURTHEST; days--) {
    const moment = runOf(repetition, today, days);
    if (moment !== undefined && moment <= until.getTime()) return new Date(moment);
  }
  throw new RangeError('Every month has a 28th.');
}

/** What clocks of the zone show at a moment, as though it were UTC's. */
function clockOf(zone: string, moment: Date): Date {
  return new Date(moment.getTime() + offsetAt(zone, moment.getTime()));
}

/**
 * The run of the day so many days from the zone's today; undefined where that day has none.
 * @param today what clocks of the zone show now, as though it were UTC's.
 */
function runOf(repetition: Repetition, today: Date, days: number): number | undefined {
  const { timezone, hour, minute } = repetition;
  const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + days));
  return isDayOf(repetition, day)
    ? momentOf(timezone, day.getTime() + hour * HOUR + minute * MINUTE)
    : undefined;
}

/** @param day midnight of the zone's calendar, as though it were UTC's. */
function isDayOf({ frequency, dayOfWeek, dayOfMonth }: Repetition, day: Date): boolean {
  if (frequency === 'weekly') return (day.getUTCDay() + 6) % 7 === dayOfWeek;
  return frequency === 'daily' || day.getUTCDate() === dayOfMonth;
}

/**
 * When clocks of a zone show a moment, given as though it were UTC's: the first of two where they are put back. Where they are put
 * forward over it, it is as much later as they are (02:30 is 03:30).
 * @param zone a name that isTimeZone holds for.
 */
export function momentOf(zone: string, shown: number): number {
  const { right, last } = candidatesOf(zone, shown);
  return right ?? last;
}

/** What a wall clock comes to by both offsets that hold around it, the earlier first, and the first of them that shows it. */
export function candidatesOf(
  zone: string,
  shown: number,
): { readonly right: number | undefined; readonly first: number; readonly last: number } {
  const around = [shown - DAY, shown + DAY].map((moment) => offsetAt(zone, moment));
  const moments = around.map((ahead) => shown - ahead).toSorted((a, b) => a - b);
  const [first = shown, last = shown] = moments;
  return { right: moments.find((moment) => moment + offsetAt(zone, moment) === shown), first, last };
}
