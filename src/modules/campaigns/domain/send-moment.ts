/** The earliest send time of a recipient's message: by the local time in its zone, and by its place in the row. */
import { HOUR, MINUTE } from '../../../kernel/duration.js';
import { candidatesOf } from '../../../kernel/recurrence.js';
import { changeOfClocks, isTimeZone } from '../../../kernel/time-zone.js';
import type { InstanceTiming } from './instance.js';

/** The largest lead of any time zone over UTC. */
export const EARLIEST_LOCAL = 14 * HOUR;

/**
 * When the local time in a zone is `wallClock`. If a change of clocks skips it, the first moment after the gap; if it
 * occurs twice, the first of the two.
 * @param zone the contact's zone; an invalid one counts as absent, and the offset applies.
 */
export function localMoment({ wallClock, offset }: InstanceTiming, zone: string | null): number | undefined {
  if (wallClock === null) return undefined;
  const shown = Date.parse(`${wallClock}Z`);
  if (zone === null || !isTimeZone(zone)) return shown - offset * MINUTE;
  const { right, first, last } = candidatesOf(zone, shown);
  return right ?? changeOfClocks(zone, first, last) ?? last;
}

/** Milliseconds after the start at which a place's message is due; 0 for the first place. */
export function turnOf({ maxPerHour }: InstanceTiming, place: number): number {
  return maxPerHour === null ? 0 : Math.floor((place * HOUR) / maxPerHour);
}

/**
 * The earliest send time of a message.
 * @param began when the sending started, plus the length of its pauses.
 * @param localAt as `localMoment`.
 */
export function sendMoment(
  timing: InstanceTiming,
  { place, localAt }: { readonly place: number; readonly localAt: number | null },
  began: number,
): Date {
  return new Date(Math.max(began + turnOf(timing, place), localAt ?? began));
}
