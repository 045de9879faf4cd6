/** Local time in IANA time zones, based on the runtime's time zone data. */
import { HOUR, MINUTE, SECOND } from './duration.js';

/** Bounds the cache, so that a caller cannot fill memory with invalid names. */
const MAX_CACHED_NAMES = 2_000;
const nameCache = new Map<string, boolean>();
/** There are about 600 names; only a few are in use at any time. */
const MAX_CACHED_FORMATS = 200;
const formatCache = new Map<string, Intl.DateTimeFormat>();

const MAX_NAME_LENGTH = 64;
/** The offset at the end of `longOffset` output: `GMT`, `GMT-03:00`, `GMT+00:53:28`. */
const OFFSET = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/;
/** Offsets, and the moments at which they change, are whole seconds. */
const OFFSET_PRECISION_MS = SECOND;

/** Whether a text is the name of a time zone. Cached, because the check is expensive. */
export function isTimeZone(text: string): boolean {
  // Newer runtimes also accept offsets such as +01:00, which have no daylight saving time and are in no list of zones.
  if (!/^[a-z]/i.test(text) || text.length > MAX_NAME_LENGTH) return false;
  let answer = nameCache.get(text);
  if (answer === undefined) {
    answer = succeeds(() => void new Intl.DateTimeFormat('en', { timeZone: text }));
    addToCache(nameCache, MAX_CACHED_NAMES, text, answer);
  }
  return answer;
}

/**
 * The zone's offset from UTC at a moment, in milliseconds.
 * @param zone a name accepted by isTimeZone.
 * @throws RangeError for any other name.
 */
export function offsetAt(zone: string, moment: number): number {
  const formatted = formatOf(zone).format(moment);
  const match = OFFSET.exec(formatted);
  if (!match) throw new RangeError(`"${formatted}" contains no offset.`);
  const [, sign, hours = 0, minutes = 0, seconds = 0] = match;
  const offset = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND;
  return sign === '-' ? -offset : offset;
}

/**
 * The next moment at which the zone's offset changes, after `after` and not after `notAfter`; undefined if both have
 * the same offset. The interval must be short enough to contain at most one change.
 */
export function nextOffsetChange(zone: string, after: number, notAfter: number): number | undefined {
  const before = offsetAt(zone, after);
  if (offsetAt(zone, notAfter) === before) return undefined;
  let low = Math.floor(after / OFFSET_PRECISION_MS);
  let high = Math.ceil(notAfter / OFFSET_PRECISION_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * OFFSET_PRECISION_MS) === before) low = middle;
    else high = middle;
  }
  return high * OFFSET_PRECISION_MS;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formatCache.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    addToCache(formatCache, MAX_CACHED_FORMATS, timeZone, format);
  }
  return format;
}

/** Caches a value. A full cache is cleared. */
function addToCache<Value>(cache: Map<string, Value>, maxSize: number, key: string, value: Value): void {
  if (cache.size >= maxSize) cache.clear();
  cache.set(key, value);
}

function succeeds(attempt: () => void): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}
