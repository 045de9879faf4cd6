/** Local times as instances store them: without a UTC offset. */
import { MINUTE } from '../../../kernel/duration.js';
import { isTimeZone, offsetAt } from '../../../kernel/time-zone.js';

/** The local time, in ISO 8601 without an offset, at a UTC offset in minutes. */
export function wallClockOf(moment: Date, offset: number): string {
  return new Date(moment.getTime() + offset * MINUTE).toISOString().slice(0, -1);
}

/** The UTC offset of a zone at a moment, in minutes; an unknown zone counts as UTC. */
export function zoneOffset(zone: string, moment: Date): number {
  return isTimeZone(zone) ? Math.round(offsetAt(zone, moment.getTime()) / MINUTE) : 0;
}
