/** Parses ISO 8601 dates and times strictly. JavaScript itself accepts 30 February as 2 March. */

/** Years 1 to 9999: the range that ISO 8601 writes with four digits and PostgreSQL can read. */
export const EARLIEST_MOMENT = Date.parse('0001-01-01T00:00:00.000Z');
export const LATEST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

const MINUTE = 60_000;

export interface IsoMoment {
  /** Milliseconds since 1970. An offset may move it up to a day beyond `EARLIEST_MOMENT` or `LATEST_MOMENT`. */
  readonly start: number;
  /** `day` has no time and means the whole day. `local` has a time but no offset and is read as UTC. */
  readonly kind: 'day' | 'local' | 'exact';
}

const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?)?$/i;

/**
 * Parses a date with or without a time, with millisecond precision. Undefined if the text is not a date or the day is
 * not in the calendar.
 */
export function readIsoMoment(text: string): IsoMoment | undefined {
  const match = ISO_8601.exec(text);
  if (!match) return undefined;
  const [, day = '', hour, minute, second, fraction = '', utc, sign, offsetHour, offsetMinute] = match;
  if (!isDay(day)) return undefined;
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  if (hour === undefined) return { start: midnight, kind: 'day' };
  const offset =
    (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * (sign === '-' ? -MINUTE : MINUTE);
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second ?? 0);
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return {
    start: midnight + seconds * 1_000 + milliseconds - offset,
    kind: utc === undefined && sign === undefined ? 'local' : 'exact',
  };
}

const DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether `yyyy-mm-dd` is a calendar day in the supported years. */
function isDay(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  if (year < 1 || day < 1 || day > (DAYS_OF_MONTHS[month - 1] ?? 0)) return false;
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
}
