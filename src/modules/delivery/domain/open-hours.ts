/**
 * Hours of the day in which messages may go, section 2.3: from a time on the wall to another, in a time zone, over
 * midnight where the end comes before the start. The start belongs to them, the end does not; equal ones are the whole
 * day. What counts is what clocks show: hours that a change of the clocks leaves out do not come that day, hours that it
 * repeats come twice.
 */
import { changeOfClocks, offsetAt } from '../../../kernel/time-zone.js';

/** Milliseconds after midnight, and the zone whose midnight is meant. */
export interface Hours {
  readonly start: number;
  readonly end: number;
  readonly zone: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Clocks change twice a year; hours that begin in what a change leaves out come a day later. */
const MOST_STEPS = 8;

/** HH:MM as milliseconds after midnight; undefined for anything else. */
export function timeOfDay(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : (Number(hours) * 60 + Number(minutes)) * MINUTE;
}

/** The same hours seen from outside: when they are shut, these are open. */
export function otherHours({ start, end, zone }: Hours): Hours {
  return { start: end, end: start, zone };
}

/** The earliest moment within the hours that is not before this one; undefined where none comes for days. */
export function nextWithin(hours: Hours, from: number): number | undefined {
  let moment = from;
  for (let step = 0; step < MOST_STEPS; step++) {
    const wait = untilStart(hours, moment);
    if (wait === 0) return moment;
    // As long as clocks go on as they do now; where they change before, what they show then is looked at anew.
    const opening = moment + wait;
    moment = changeOfClocks(hours.zone, moment, opening) ?? opening;
  }
  return undefined;
}

/** Milliseconds until the hours begin, if clocks are not put forward or back; 0 within them. */
function untilStart({ start, end, zone }: Hours, moment: number): number {
  const shown = remainder(moment + offsetAt(zone, moment), DAY);
  const sinceStart = remainder(shown - start, DAY);
  const length = remainder(end - start, DAY) || DAY;
  return sinceStart < length ? 0 : DAY - sinceStart;
}

function remainder(value: number, by: number): number {
  return ((value % by) + by) % by;
}
