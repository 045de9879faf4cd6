/**
 * How long to wait before a platform is asked again: what it says where that can be read, within bounds, and otherwise
 * longer each time.
 */

const SECOND = 1_000;

/** Milliseconds, whatever a platform says. */
const LEAST_WAIT = 250;
const MOST_WAIT = 3_600 * SECOND;
/** A longer wait gives the job's turn back. */
export const LONGEST_SAT_OUT = 30 * SECOND;

/** Of growing waits. */
const FIRST_WAIT = SECOND;
const LONGEST_GROWN = 120 * SECOND;
/** Refusals in a row that are believed to end when the platform says; from then on waits grow besides. */
const BELIEVED = 10;

/** Waits after failures grow from half a second: each is sat out. */
const FIRST_FAILURE_WAIT = SECOND / 2;

/** Greater numbers are moments, as seconds or milliseconds of the epoch, and smaller ones spans in seconds. */
const FIRST_MOMENT = 1e9;
const FIRST_MOMENT_MS = 1e12;

const SAID_OF_LIMITS = ['x-ratelimit-reset', 'x-ratelimit-retry-after'];

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Milliseconds to wait after a 429.
 * @param refusals how many there were in a row, with this one.
 * @param now what spans to moments are counted from where the answer does not say when it was given.
 */
export function waitAfterRefusal(headers: Headers, refusals: number, now: Date): number {
  const said = waitSaid(headers, SAID_OF_LIMITS, now);
  if (said === null) return grown(FIRST_WAIT, refusals, LONGEST_GROWN);
  const besides = refusals > BELIEVED ? grown(FIRST_WAIT, refusals - BELIEVED, LONGEST_GROWN) : 0;
  return Math.max(said, besides);
}

/**
 * Milliseconds to wait after a failure, none longer than a turn sits out; what stands there of limits says nothing of it.
 * @param failures in a row, with this one.
 */
export function waitAfterFailure(headers: Headers, failures: number, now: Date): number {
  const said = waitSaid(headers, [], now) ?? 0;
  return Math.min(Math.max(said, grown(FIRST_FAILURE_WAIT, failures, LONGEST_SAT_OUT)), LONGEST_SAT_OUT);
}

/**
 * Milliseconds that an answer asks for, within bounds; null where it says nothing that can be read.
 * @param besides headers that are looked at where Retry-After says nothing.
 */
function waitSaid(headers: Headers, besides: readonly string[], now: Date): number | null {
  const sent = momentIn(headers.date) ?? now.getTime();
  const waits = [
    // Seconds, or the date of a moment.
    spanIn(headers['retry-after'], sent) ?? spanTo(momentIn(headers['retry-after']), sent),
    ...besides.map((name) => spanIn(headers[name], sent)),
  ];
  const said = waits.find((wait) => wait !== null) ?? null;
  return said === null ? null : Math.min(Math.max(said, LEAST_WAIT), MOST_WAIT);
}

function spanIn(text: string | undefined, sent: number): number | null {
  if (text === undefined || !/^\s*\d{1,15}(\.\d{1,15})?\s*$/.test(text)) return null;
  const value = Number(text);
  if (value < FIRST_MOMENT) return value * SECOND;
  return value < FIRST_MOMENT_MS ? value * SECOND - sent : value - sent;
}

function spanTo(moment: number | null, sent: number): number | null {
  return moment === null ? null : moment - sent;
}

/** Of a date as HTTP writes it: all forms begin with the day of the week. */
function momentIn(text: string | undefined): number | null {
  if (text === undefined || text.length > 64 || !/^\s*[a-z]{3,9},? /i.test(text)) return null;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : moment;
}

/** Twice as long each time. */
function grown(first: number, times: number, most: number): number {
  return Math.min(first * 2 ** Math.min(times - 1, 30), most);
}
