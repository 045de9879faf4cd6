/** When a recipient's message may go at the earliest: by the wall clock of its zone, and by its place in the row. */
import { HOUR, MINUTE } from '../../../kernel/duration.js';
import { candidatesOf } from '../../../kernel/recurrence.js';
import { changeOfClocks, isTimeZone } from '../../../kernel/time-zone.js';
import type { InstanceTiming } from './instance.js';

/** How much earlier than UTC's a wall clock may be reached anywhere. */
export const EARLIEST_LOCAL = 14 * HOUR;

/**
 * When clocks of a zone show `wallClock`; the first moment behind the gap where they are put forward over it, the first of
 * two where they are put back.
 * @param zone of the contact; one that is none counts as absent, and the offset holds.
 */
export function localMoment({ wallClock, offset }: InstanceTiming, zone: string | null): number | undefined {
  if (wallClock === null) return undefined;
  const shown = Date.parse(`${wallClock}Z`);
  if (zone === null || !isTimeZone(zone)) return shown - offset * MINUTE;
  const { right, first, last } = candidatesOf(zone, shown);
  return right ?? changeOfClocks(zone, first, last) ?? last;
}

/** Milliseconds after the beginning at which the place in the row has its turn; the first has it at once. */
export function turnOf({ maxPerHour }: InstanceTiming, place: number): number {
  return maxPerHour === null ? 0 : Math.floor((place * HOUR) / maxPerHour);
}

/**
 * The earliest moment for a message.
 * @param began when the sending began, moved by what it was paused since.
 * @param localAt as `localMoment`.
 */
export function sendMoment(
  timing: InstanceTiming,
  { place, localAt }: { readonly place: number; readonly localAt: number | null },
  began: number,
): Date {
  return new Date(Math.max(began + turnOf(timing, place), localAt ?? began));
}
