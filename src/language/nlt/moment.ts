/**
 * Parses dates in data. Nothing depends on the machine's time zone.
 *
 * kernel/written-moment defines which values are dates. A time without an offset is UTC. A day without a time stays
 * that day in every time zone.
 */
import { parseMoment } from '../../kernel/parse-moment.js';
import { fieldsOf } from './date-pattern.js';

/** An instant in milliseconds since 1970; `precision` day means a calendar day, stored as its midnight in UTC. */
export class Moment {
  constructor(
    readonly instant: number,
    readonly precision: 'day' | 'instant',
  ) {}
}

/** The moment that `value` represents: a Date, an ISO text or a number; undefined if it is not a date. */
export function momentFrom(value: unknown): Moment | undefined {
  if (value instanceof Moment) return value;
  if (value instanceof Date) return isValid(value) ? new Moment(value.getTime(), 'instant') : undefined;
  const written = parseMoment(value);
  return written && new Moment(written.instant, written.isDay ? 'day' : 'instant');
}

function isValid(date: Date): boolean {
  return !Number.isNaN(date.getTime());
}

function dayInstant(year: number, month: number, day: number): number {
  const date = new Date(0);
  return date.setUTCFullYear(year, month - 1, day);
}

/** The calendar day of a moment in a valid time zone. */
export function dayOf(moment: Moment, timeZone: string): Moment {
  if (moment.precision === 'day') return moment;
  const { year, month, day } = fieldsOf(moment.instant, timeZone);
  return new Moment(dayInstant(year, month, day), 'day');
}
