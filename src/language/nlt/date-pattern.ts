/**
 * Unicode date patterns such as `EEEE, d MMM yyyy HH:mm` for `as "…"`. Intl has no patterns, so the names come from
 * Intl and the rest is assembled here.
 *
 * Edge cases:
 * - Known letters: y M L d E a h H k K m s S z Z x X Q, each repeated as Unicode defines. Every other Latin letter is a
 *   mistake (`YYYY`, `DD`) and makes the format an error; literal text goes in single quotes (`d 'of' MMMM`).
 * - A month next to a day may be a bare number in Chinese, Japanese and Korean; the standalone name is used.
 * - Digits are always 0 to 9; month and weekday names are in the contact's language.
 */
import { WORK_COST } from './limits.js';
import { dateTimeFormatter, type LocaleSetting } from './locale-setting.js';

/** A pattern cut into fields and literal text. */
type PatternPart = { readonly field: string; readonly width: number } | { readonly literal: string };

const maxWidths: Record<string, number> = {
  y: 4,
  Q: 3,
  M: 5,
  L: 5,
  d: 2,
  E: 5,
  a: 1,
  h: 2,
  H: 2,
  k: 2,
  K: 2,
  m: 2,
  s: 2,
  S: 3,
  z: 4,
  Z: 3,
  x: 3,
  X: 3,
};

/** Whether `pattern` has at least one field and no unknown letter. */
export function isDatePattern(pattern: string): boolean {
  return patternParts(pattern)?.some((part) => 'field' in part) ?? false;
}

/**
 * Returns a function that formats an instant (milliseconds since 1970) with `pattern`, which must be a date pattern.
 */
export function datePatternFormatter(
  pattern: string,
): (instant: number, setting: LocaleSetting, meter: Meter) => string {
  const writers = (patternParts(pattern) ?? []).map(writerOf);
  return (instant, setting, meter) => {
    meter.spend(WORK_COST.fields + writers.length * WORK_COST.step);
    const fields = fieldsOf(instant, setting.timeZone);
    let text = '';
    for (const write of writers) text += write(fields, instant, setting, meter);
    return text;
  };
}

/** Counts work. */
interface Meter {
  spend(amount: number): void;
  spendOn(format: string): void;
}

type Writer = (fields: Fields, instant: number, setting: LocaleSetting, meter: Meter) => string;

function writerOf(part: PatternPart): Writer {
  if ('literal' in part) return () => part.literal;
  const { field, width } = part;
  const name = nameOptions(field, width);
  if (name === null) return (fields) => writeNumber(field, width, fields);
  const formatter = dateTimeFormatter({ calendar: 'gregory', ...name.options });
  const standaloneMonth = dateTimeFormatter({ calendar: 'gregory', month: name.options.month });
  return (_fields, instant, setting, meter) => {
    meter.spend(WORK_COST.fields);
    meter.spendOn(`${field} ${width}`);
    const parts = formatter(setting).formatToParts(instant);
    const found = parts.find(({ type }) => type === name.type)?.value ?? '';
    return name.type === 'month' && /^\p{N}+$/u.test(found)
      ? standaloneMonth(setting).format(instant)
      : found;
  };
}

/** The Intl options for a field that is a word, or null if the field is a number. */
function nameOptions(
  field: string,
  width: number,
): { type: Intl.DateTimeFormatPartTypes; options: Intl.DateTimeFormatOptions } | null {
  const style = width === 4 ? 'long' : width === 5 ? 'narrow' : 'short';
  switch (field) {
    case 'M':
      return width < 3 ? null : { type: 'month', options: { month: style, day: 'numeric' } };
    case 'L':
      return width < 3 ? null : { type: 'month', options: { month: style } };
    case 'E':
      return { type: 'weekday', options: { weekday: style } };
    case 'a':
      return { type: 'dayPeriod', options: { hour: 'numeric', hour12: true } };
    case 'z':
      return { type: 'timeZoneName', options: { timeZoneName: width === 4 ? 'long' : 'short' } };
    default:
      return null;
  }
}

function patternParts(pattern: string): PatternPart[] | null {
  const parts: PatternPart[] = [];
  for (const match of pattern.matchAll(/'((?:[^']|'')*)'|([a-zA-Z])\2*|[^a-zA-Z]/g)) {
    const [whole, quoted, field] = match;
    if (field !== undefined) {
      if (whole.length > (maxWidths[field] ?? 0)) return null;
      parts.push({ field, width: whole.length });
    } else {
      parts.push({
        literal: quoted === undefined ? whole : quoted === '' ? "'" : quoted.replaceAll("''", "'"),
      });
    }
  }
  return parts;
}

interface Fields {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Minutes east of UTC. */
  readonly offset: number;
}

const fieldFormatter = dateTimeFormatter({
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  era: 'short',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** The calendar fields of an instant in a valid time zone. */
export function fieldsOf(instant: number, timeZone: string): Fields {
  const wallClock = timeZone === 'UTC' ? instant : wallTime(instant, timeZone);
  const date = new Date(wallClock);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
    offset: Math.round((wallClock - instant) / 60_000),
  };
}

/**
 * The instant at which UTC clocks show the local time of the zone. Parsing one text is faster than formatting to parts.
 */
function wallTime(instant: number, timeZone: string): number {
  const text = fieldFormatter({ locale: 'en-US', timeZone }).format(instant);
  const [month = 1, day = 1, year = 1970, hour = 0, minute = 0, second = 0] =
    text.match(/\d+/g)?.map(Number) ?? [];
  const wallClock = new Date(0);
  wallClock.setUTCFullYear(text.includes('BC') ? 1 - year : year, month - 1, day);
  return wallClock.setUTCHours(hour, minute, second, ((instant % 1000) + 1000) % 1000);
}

function writeNumber(field: string, width: number, fields: Fields): string {
  const padded = (value: number) => String(value).padStart(width, '0');
  switch (field) {
    case 'y':
      return width === 2 ? String(Math.abs(fields.year) % 100).padStart(2, '0') : padded(fields.year);
    case 'Q': {
      const quarter = Math.ceil(fields.month / 3);
      return width === 3 ? `Q${quarter}` : padded(quarter);
    }
    case 'M':
    case 'L':
      return padded(fields.month);
    case 'd':
      return padded(fields.day);
    case 'H':
      return padded(fields.hour);
    case 'k':
      return padded(fields.hour === 0 ? 24 : fields.hour);
    case 'K':
      return padded(fields.hour % 12);
    case 'h':
      return padded(fields.hour % 12 === 0 ? 12 : fields.hour % 12);
    case 'm':
      return padded(fields.minute);
    case 's':
      return padded(fields.second);
    case 'S':
      return String(fields.millisecond).padStart(3, '0').slice(0, width);
    default:
      return writeOffset(field, width, fields.offset);
  }
}

/** `x`, `X`: +01, +0100, +01:00 (`X` writes Z for zero); `Z`: +0100. */
function writeOffset(field: string, width: number, offset: number): string {
  if (field === 'X' && offset === 0) return 'Z';
  const sign = offset < 0 ? '-' : '+';
  const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0');
  const minutes = String(Math.abs(offset) % 60).padStart(2, '0');
  if (field === 'Z' || width === 2) return `${sign}${hours}${minutes}`;
  if (width === 3) return `${sign}${hours}:${minutes}`;
  return minutes === '00' ? `${sign}${hours}` : `${sign}${hours}${minutes}`;
}
