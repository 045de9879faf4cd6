/** What clocks on a wall show, as instances keep it: a moment without its offset. */
import { MINUTE } from '../../../kernel/duration.js';
import { isTimeZone, offsetAt } from '../../../kernel/time-zone.js';

/** The text of ISO 8601, without an offset, that clocks show which are so many minutes ahead of UTC. */
export function wallClockOf(moment: Date, offset: number): string {
  return new Date(moment.getTime() + offset * MINUTE).toISOString().slice(0, -1);
}

/** Minutes that a zone is ahead of UTC at a moment; a name that is none counts as UTC. */
export function zoneOffset(zone: string, moment: Date): number {
  return isTimeZone(zone) ? Math.round(offsetAt(zone, moment.getTime()) / MINUTE) : 0;
}
