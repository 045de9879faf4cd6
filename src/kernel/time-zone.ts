/** Local time in IANA time zones, based on the runtime's time zone data. */
import { HOUR, MINUTE, SECOND } from './duration.js';

/** Bounds the cache, so that a caller cannot fill memory with invalid names. */
const MOST_KNOWN = 2_000;
const known = new Map<string, boolean>();
/** There are about 600 names; only a few are in use at any time. */
const MOST_FORMATS = 200;
const formats = new Map<string, Intl.DateTimeFormat>();

const LONGEST_NAME = 64;
/** The offset at the end of `longOffset` output: `GMT`, `GMT-03:00`, `GMT+00:53:28`. */
const OFFSET = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/;
/** Offsets, and the moments at which they change, are whole seconds. */
const FINEST = SECOND;

/** Whether a text is the name of a time zone. Cached, because the check is expensive. */
export function isTimeZone(text: string): boolean {
  // Newer runtimes also accept offsets such as +01:00, which have no daylight saving time and are in no list of zones.
  if (!/^[a-z]/i.test(text) || text.length > LONGEST_NAME) return false;
  let answer = known.get(text);
  if (answer === undefined) {
    answer = holds(() => void new Intl.DateTimeFormat('en', { timeZone: text }));
    keep(known, MOST_KNOWN, text, answer);
  }
  return answer;
}

/**
 * The zone's offset from UTC at a moment, in milliseconds.
 * @param zone a name accepted by isTimeZone.
 * @throws RangeError for any other name.
 */
export function offsetAt(zone: string, moment: number): number {
  const shown = formatOf(zone).format(moment);
  const match = OFFSET.exec(shown);
  if (!match) throw new RangeError(`"${shown}" contains no offset.`);
  const [, sign, hours = 0, minutes = 0, seconds = 0] = match;
  const ahead = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND;
  return sign === '-' ? -ahead : ahead;
}

/**
 * The next moment at which the zone's offset changes, after `after` and not after `notAfter`; undefined if both have
 * the same offset. The interval must be short enough to contain at most one change.
 */
export function changeOfClocks(zone: string, after: number, notAfter: number): number | undefined {
  const before = offsetAt(zone, after);
  if (offsetAt(zone, notAfter) === before) return undefined;
  let low = Math.floor(after / FINEST);
  let high = Math.ceil(notAfter / FINEST);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * FINEST) === before) low = middle;
    else high = middle;
  }
  return high * FINEST;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    keep(formats, MOST_FORMATS, timeZone, format);
  }
  return format;
}

/** Caches a value. A full cache is cleared. */
function keep<Value>(kept: Map<string, Value>, most: number, key: string, value: Value): void {
  if (kept.size >= most) kept.clear();
  kept.set(key, value);
}

function holds(attempt: () => void): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}
