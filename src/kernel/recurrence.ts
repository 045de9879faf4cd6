/**
 * Computes the runs of a recurring schedule in local time of a time zone: one run per period, even when the clocks
 * change. Campaigns and report emails both use it.
 */
import { DAY, HOUR, MINUTE } from './duration.js';
import { offsetAt } from './time-zone.js';

/** A schedule: daily, weekly or monthly. */
export interface Repetition {
  readonly frequency: 'daily' | 'weekly' | 'monthly';
  /** 0 Monday to 6 Sunday; set for weekly schedules. */
  readonly dayOfWeek: number | null;
  /** 1 to 28; set for monthly schedules. */
  readonly dayOfMonth: number | null;
  readonly hour: number;
  readonly minute: number;
  /** A name accepted by isTimeZone. */
  readonly timezone: string;
}

/** Days to search for the next run. Every month contains every permitted day. */
const MAX_SEARCH_DAYS = 62;

/** The first run after `after`. See `momentOf` for runs near a clock change. */
export function nextRun(repetition: Repetition, after: Date): Date {
  const today = localTimeOf(repetition.timezone, after);
  // Where clocks skip midnight, a day's run may fall on the following day.
  for (let days = -1; days <= MAX_SEARCH_DAYS; days++) {
    const moment = runOf(repetition, today, days);
    if (moment !== undefined && moment > after.getTime()) return new Date(moment);
  }
  throw new RangeError('Every month has a 28th.');
}

/** The last run at or before `until`, that is, the run of the period that contains `until`. */
export function latestRun(repetition: Repetition, until: Date): Date {
  const today = localTimeOf(repetition.timezone, until);
  for (let days = 1; days >= -MAX_SEARCH_DAYS; days--) {
    const moment = runOf(repetition, today, days);
    if (moment !== undefined && moment <= until.getTime()) return new Date(moment);
  }
  throw new RangeError('Every month has a 28th.');
}

/** Local time in the zone at a moment, represented as a UTC timestamp. */
function localTimeOf(zone: string, moment: Date): Date {
  return new Date(moment.getTime() + offsetAt(zone, moment.getTime()));
}

/**
 * The run on the day `days` days from the zone's today; undefined if that day has none.
 * @param today the current local time in the zone, represented as a UTC timestamp.
 */
function runOf(repetition: Repetition, today: Date, days: number): number | undefined {
  const { timezone, hour, minute } = repetition;
  const day = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + days));
  return isDayOf(repetition, day)
    ? momentOf(timezone, day.getTime() + hour * HOUR + minute * MINUTE)
    : undefined;
}

/** @param day midnight in the zone's calendar, represented as a UTC timestamp. */
function isDayOf({ frequency, dayOfWeek, dayOfMonth }: Repetition, day: Date): boolean {
  if (frequency === 'weekly') return (day.getUTCDay() + 6) % 7 === dayOfWeek;
  return frequency === 'daily' || day.getUTCDate() === dayOfMonth;
}

/**
 * Converts local time in a zone to a moment. If clocks go back and the time occurs twice, returns the first. If clocks
 * go forward and skip the time, returns the time shifted by the skipped interval (02:30 becomes 03:30).
 * @param zone a name accepted by isTimeZone.
 * @param localTime local time, represented as a UTC timestamp.
 */
export function momentOf(zone: string, localTime: number): number {
  const { exact: exact, last } = momentCandidatesOf(zone, localTime);
  return exact ?? last;
}

/**
 * The moments that a local time maps to under both offsets around it, the earlier first, and the first one that shows
 * this local time.
 */
export function momentCandidatesOf(
  zone: string,
  localTime: number,
): { readonly exact: number | undefined; readonly first: number; readonly last: number } {
  const offsets = [localTime - DAY, localTime + DAY].map((moment) => offsetAt(zone, moment));
  const moments = offsets.map((offset) => localTime - offset).toSorted((a, b) => a - b);
  const [first = localTime, last = localTime] = moments;
  return { exact: moments.find((moment) => moment + offsetAt(zone, moment) === localTime), first, last };
}
