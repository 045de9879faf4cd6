/**
 * Hours of the day in which messages may go, section 2.3: from one local time to another in a time zone, across
 * midnight if the end is before the start. The start is included, the end is not; equal times mean the whole day. Local
 * clock time decides: hours that a clock change skips do not occur that day, and hours that it repeats occur twice.
 */
import { nextOffsetChange, offsetAt } from '../../../kernel/time-zone.js';

/** Milliseconds after midnight, and the time zone of that midnight. */
export interface Hours {
  readonly start: number;
  readonly end: number;
  readonly zone: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Clocks change twice a year. If a change skips the start of the hours, they start a day later. */
const MAX_CLOCK_CHANGES = 8;

/** HH:MM as milliseconds after midnight; undefined for any other text. */
export function timeOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : (Number(hours) * 60 + Number(minutes)) * MINUTE;
}

/** The complement of the hours: open when these are closed. */
export function otherHours({ start, end, zone }: Hours): Hours {
  return { start: end, end: start, zone };
}

/** The earliest time within the hours at or after the given time; undefined if there is none for days. */
export function nextWithin(hours: Hours, from: number): number | undefined {
  let moment = from;
  for (let step = 0; step < MAX_CLOCK_CHANGES; step++) {
    const wait = untilStart(hours, moment);
    if (wait === 0) return moment;
    // This holds if no clock change comes before the opening. If one does, the search continues from the new local
    // time.
    const opening = moment + wait;
    moment = nextOffsetChange(hours.zone, moment, opening) ?? opening;
  }
  return undefined;
}

/** Milliseconds until the hours start if the clocks do not change; 0 within them. */
function untilStart({ start, end, zone }: Hours, moment: number): number {
  const shown = remainder(moment + offsetAt(zone, moment), DAY);
  const sinceStart = remainder(shown - start, DAY);
  const length = remainder(end - start, DAY) || DAY;
  return sinceStart < length ? 0 : DAY - sinceStart;
}

function remainder(value: number, by: number): number {
  return ((value % by) + by) % by;
}
