/**
 * Reads dates out of data. Nothing depends on the machine's own time zone.
 *
 * Dark corners:
 * - Only ISO 8601 counts as a date text: `2026-05-01`, `2026-05-01T10:00`, with seconds, fraction, `Z` or an offset.
 *   Without an offset a time is UTC. A day without a time stays that day in every time zone.
 * - Numbers are seconds since 1970 below 100,000,000,000 and milliseconds from there; so are texts of 10 or 13 digits.
 */
import { ExactNumber } from '../../kernel/exact-number.js';
import { fieldsOf } from './date-pattern.js';

/** An instant in milliseconds since 1970; `precision` day means a calendar day, held as its midnight in UTC. */
export class Moment {
  constructor(
    readonly instant: number,
    readonly precision: 'day' | 'instant',
  ) {}
}

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const LATEST = 8.64e15;

/** The moment that `value` stands for: a Date, an ISO text or a number; undefined if it is none. */
export function momentFrom(value: unknown): Moment | undefined {
  if (value instanceof Moment) return value;
  if (value instanceof Date) return atInstant(value.getTime());
  if (typeof value === 'number') return fromNumber(value);
  if (value instanceof ExactNumber) return fromNumber(Number(value.text));
  if (typeof value !== 'string' || value.length > 40) return undefined;
  const text = value.trim();
  return /^(?:\d{10}|\d{13})$/.test(text) ? fromNumber(Number(text)) : momentFromText(text);
}

function momentFromText(text: string): Moment | undefined {
  const match = isoPattern.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const midnight = dayInstant(year, month, day);
  const isReal = month >= 1 && new Date(midnight).getUTCMonth() === month - 1 && day >= 1;
  if (!isReal) return undefined;
  if (match[4] === undefined) return new Moment(midnight, 'day');
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6] ?? 0)];
  if (hour > 24 || minute > 59 || second > 60) return undefined;
  const millisecond = Math.floor(Number(`0.${match[7] ?? 0}`) * 1000);
  const time = hour * 3_600_000 + minute * 60_000 + second * 1000 + millisecond;
  return atInstant(midnight + time - offsetOf(match[8]));
}

function offsetOf(written = 'Z'): number {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(written);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return (match[1] === '-' ? -minutes : minutes) * 60_000;
}

function fromNumber(value: number): Moment | undefined {
  return atInstant(Math.abs(value) < 100_000_000_000 ? value * 1000 : value);
}

function atInstant(instant: number): Moment | undefined {
  return Math.abs(instant) <= LATEST ? new Moment(Math.trunc(instant), 'instant') : undefined;
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
