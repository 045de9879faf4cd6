/**
 * Moments in data, read in one way by segments, checks, imports and templates: ISO 8601, a date or a date with a time, with
 * a space for the T and offsets such as `+0000` too, UTC where there is none; seconds since 1970 below 100,000,000,000 and
 * milliseconds from there, as numbers and as texts of 10 or 13 digits. The patterns are read by JavaScript and by
 * PostgreSQL alike; they let nothing pass that either could not read.
 */
import { ExactNumber } from './exact-number.js';
import { EARLIEST, LATEST } from './iso-moment.js';

const DAY =
  '(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))' +
  '|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
const TIME = '[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?';
const OFFSET = ' ?(?:[Zz]|[+-](?:0[0-9]|1[0-4])(?::?[0-5][0-9])?)';

/** A moment as text, as a pattern for both. */
export const MOMENT_PATTERN = `^ *(?!0000)${DAY}(?:${TIME}(?:${OFFSET})?)? *$`;
/** A text of digits that counts since 1970, for both. */
export const COUNT_PATTERN = '^ *(?:[0-9]{10}|[0-9]{13}) *$';
/** The end of a text, without spaces around it, that says a time and its offset. */
export const OFFSET_PATTERN = `:[0-9.,]+${OFFSET}$`;
/** The length of a text that is a date alone. */
export const DATE_LENGTH = 10;
/** From here on a number counts milliseconds. */
export const FIRST_MILLISECONDS = 100_000_000_000;

export interface WrittenMoment {
  /** In milliseconds since 1970. */
  readonly instant: number;
  /** A date without a time, held as its midnight in UTC. */
  readonly isDay: boolean;
}

const moment = new RegExp(MOMENT_PATTERN);
const count = new RegExp(COUNT_PATTERN);
const parts =
  /^ *(\S{10})(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)? ?(?:[Zz]|([+-]\d\d)(?::?(\d\d))?)?)? *$/;

/** The moment that a value says, to the millisecond; undefined when it says none. */
export function writtenMoment(value: unknown): WrittenMoment | undefined {
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

function counted(value: number): WrittenMoment | undefined {
  // By 15 digits, which a double has, 1.005 seconds are 1005 milliseconds.
  const milliseconds = Math.abs(value) < FIRST_MILLISECONDS ? Number((value * 1_000).toPrecision(15)) : value;
  const instant = Math.trunc(milliseconds);
  return instant >= EARLIEST && instant <= LATEST ? { instant: instant + 0, isDay: false } : undefined;
}
