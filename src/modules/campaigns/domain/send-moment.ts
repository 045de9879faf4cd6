/** The earliest send time of a recipient's message: by the local time in its zone, and by its place in the row. */
import { HOUR, MINUTE } from '../../../kernel/duration.js';
import { momentCandidatesOf } from '../../../kernel/recurrence.js';
import { nextOffsetChange, isTimeZone, offsetAt } from '../../../kernel/time-zone.js';
import type { InstanceTiming } from './instance.js';

/** The largest lead of any time zone over UTC. */
export const MAX_UTC_LEAD_MS = 14 * HOUR;

/**
 * When the local time in a zone is `wallClock`. If a change of clocks skips it, the first moment after the gap; if it
 * occurs twice, the first of the two.
 * @param zone the contact's zone; an invalid one counts as absent, and the offset applies.
 */
export function localMoment({ wallClock, offset }: InstanceTiming, zone: string | null): number | undefined {
  if (wallClock === null) return undefined;
  const shown = Date.parse(`${wallClock}Z`);
  if (zone === null || !isTimeZone(zone)) return shown - offset * MINUTE;
  const { exact: exact, first, last } = momentCandidatesOf(zone, shown);
  return exact ?? nextOffsetChange(zone, first, last) ?? last;
}

/** Milliseconds after the start at which a place's message is due; 0 for the first place. */
export function sendDelayMs({ maxPerHour }: InstanceTiming, sendIndex: number): number {
  return maxPerHour === null ? 0 : Math.floor((sendIndex * HOUR) / maxPerHour);
}

/**
 * The earliest send time of a message.
 * @param startMs when the sending started, plus the length of its pauses.
 * @param localAt as `localMoment`.
 */
export function sendMoment(
  timing: InstanceTiming,
  { sendIndex, localAt }: { readonly sendIndex: number; readonly localAt: number | null },
  startMs: number,
): Date {
  return new Date(Math.max(startMs + sendDelayMs(timing, sendIndex), localAt ?? startMs));
}

/** The local time, in ISO 8601 without an offset, at a UTC offset in minutes. */
export function wallClockOf(moment: Date, offset: number): string {
  return new Date(moment.getTime() + offset * MINUTE).toISOString().slice(0, -1);
}

/** The UTC offset of a zone at a moment, in minutes; an unknown zone counts as UTC. */
export function zoneOffset(zone: string, moment: Date): number {
  return isTimeZone(zone) ? Math.round(offsetAt(zone, moment.getTime()) / MINUTE) : 0;
}
