/** What clocks on the wall show in a time zone, by the rules of IANA that the runtime carries. */
import { HOUR, MINUTE, SECOND } from './duration.js';

/** Whoever sends names that no zone has fills no memory with them. */
const MOST_KNOWN = 2_000;
const known = new Map<string, boolean>();
/** There are some 600 names, of which a handful is used at a time. */
const MOST_FORMATS = 200;
const formats = new Map<string, Intl.DateTimeFormat>();

const LONGEST_NAME = 64;
/** How `longOffset` writes an offset at the end: `GMT`, `GMT-03:00`, `GMT+00:53:28`. */
const OFFSET = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/;
/** Offsets are whole seconds, and so are the moments at which they change. */
const FINEST = SECOND;

/** Whether a text names a time zone; remembered, since finding out costs far more than anything around it. */
export function isTimeZone(text: string): boolean {
  // Newer runtimes take offsets such as +01:00 too, which know no summer time and are in no list of zones.
  if (!/^[a-z]/i.test(text) || text.length > LONGEST_NAME) return false;
  let answer = known.get(text);
  if (answer === undefined) {
    answer = holds(() => void new Intl.DateTimeFormat('en', { timeZone: text }));
    keep(known, MOST_KNOWN, text, answer);
  }
  return answer;
}

/**
 * Milliseconds by which the zone's clocks are ahead of UTC at a moment.
 * @param zone a name that isTimeZone holds for.
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
 * The moment at which the zone's clocks are next put forward or back, after one moment and not after another; undefined
 * where both have the same offset. The two are to be so near that clocks change once between them at most.
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

/** Remembers a value; what is full begins anew. */
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
