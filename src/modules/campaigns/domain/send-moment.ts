/** When a recipient's message may go at the earliest: by the wall clock of its zone, and by its place in the row. */
import { DAY, HOUR, MINUTE } from '../../../kernel/duration.js';
import { changeOfClocks, isTimeZone, offsetAt } from '../../../kernel/time-zone.js';
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
  const { right, first, last } = candidates(zone, shown);
  return right ?? changeOfClocks(zone, first, last) ?? last;
}

/**
 * When clocks of a zone show a moment, given as though it were UTC's: the first of two where they are put back. Where they are put
 * forward over it, it is as much later as they are (02:30 is 03:30).
 * @param zone a name that isTimeZone holds for.
 */
export function momentOf(zone: string, shown: number): number {
  const { right, last } = candidates(zone, shown);
  return right ?? last;
}

/** What a wall clock comes to by both offsets that hold around it, the earlier first, and the first of them that shows it. */
function candidates(
  zone: string,
  shown: number,
): { readonly right: number | undefined; readonly first: number; readonly last: number } {
  const around = [shown - DAY, shown + DAY].map((moment) => offsetAt(zone, moment));
  const moments = around.map((ahead) => shown - ahead).toSorted((a, b) => a - b);
  const [first = shown, last = shown] = moments;
  return { right: moments.find((moment) => moment + offsetAt(zone, moment) === shown), first, last };
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
