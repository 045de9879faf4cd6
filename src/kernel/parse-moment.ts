/**
 * Parses moments in data, the same way for segments, checks, imports and templates. ISO 8601: a date with or without a
 * time, a space allowed instead of T, offsets such as `+0000` allowed, UTC by default. Numbers, and texts of 10 or 13
 * digits: seconds since 1970 below 100,000,000,000, milliseconds from there. JavaScript and PostgreSQL use the same
 * patterns, which match only what both can parse.
 */
import { ExactNumber } from './exact-number.js';
import { EARLIEST_MOMENT, LATEST_MOMENT } from './iso-moment.js';

const DAY =
  '(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))' +
  '|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
const TIME = '[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?';
const OFFSET = ' ?(?:[Zz]|[+-](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)';

/** A moment as text. The pattern works in JavaScript and PostgreSQL. */
export const MOMENT_PATTERN = `^ *(?!0000)${DAY}(?:${TIME}(?:${OFFSET})?)? *$`;
/** A text of digits that counts time since 1970. Works in both. */
export const COUNT_PATTERN = '^ *(?:[0-9]{10}|[0-9]{13}) *$';
/** The end of a trimmed text with a time and an offset. */
export const OFFSET_PATTERN = `:[0-9.,]+${OFFSET}$`;
/** The length of a text with a date only. */
export const DATE_LENGTH = 10;
/** Numbers from here on are milliseconds. */
export const MIN_MILLISECONDS_VALUE = 100_000_000_000;

export interface ParsedMoment {
  /** Milliseconds since 1970. */
  readonly instant: number;
  /** A date without a time, stored as its midnight in UTC. */
  readonly isDay: boolean;
}

const moment = new RegExp(MOMENT_PATTERN);
const count = new RegExp(COUNT_PATTERN);
const parts =
  /^ *(\S{10})(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)? ?(?:[Zz]|([+-]\d\d)(?::?(\d\d))?)?)? *$/;

/** Parses a value to a moment with millisecond precision; undefined if it is not one. */
export function parseMoment(value: unknown): ParsedMoment | undefined {
  if (typeof value === 'number') return counted(value);
  if (value instanceof ExactNumber) return counted(Number(value.text));
  if (typeof value !== 'string') return undefined;
  if (count.test(value)) return counted(Number(value));
  const match = moment.test(value) ? parts.exec(value) : null;
  if (match === null) return undefined;
  const [, day = '', time, second = '00', fraction = '', hours, minutes = '00'] = match;
  if (time === undefined) return { instant: Date.parse(`${day}T00:00:00Z`), isDay: true };
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  return { instant: Date.parse(`${day}T${time}:${second}.${milliseconds}${offset}`), isDay: false };
}

function counted(value: number): ParsedMoment | undefined {
  // Rounds to 15 digits, the precision of a double, so that 1.005 seconds are 1005 milliseconds.
  const milliseconds =
    Math.abs(value) < MIN_MILLISECONDS_VALUE ? Number((value * 1_000).toPrecision(15)) : value;
  const instant = Math.trunc(milliseconds);
  return instant >= EARLIEST_MOMENT && instant <= LATEST_MOMENT
    ? { instant: instant + 0, isDay: false }
    : undefined;
}
