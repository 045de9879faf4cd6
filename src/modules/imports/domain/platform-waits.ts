/**
 * How long to wait before the next request to a platform: what it requests, within limits, if that can be read;
 * otherwise longer each time.
 */

const SECOND = 1_000;

/** Minimum wait in milliseconds, whatever a platform requests. */
const LEAST_WAIT = 250;
const MOST_WAIT = 3_600 * SECOND;
/** A longer wait ends the job's time slice. */
export const LONGEST_SAT_OUT = 30 * SECOND;

/** The first of growing waits. */
const FIRST_WAIT = SECOND;
const LONGEST_GROWN = 120 * SECOND;
/** Consecutive refusals for which the platform's requested wait is trusted. From then on, waits also grow. */
const BELIEVED = 10;

/** Waits after failures grow from half a second. They are spent within the time slice. */
const FIRST_FAILURE_WAIT = SECOND / 2;

/**
 * Larger numbers are timestamps, as seconds or milliseconds since the epoch; smaller ones are durations in seconds.
 */
const FIRST_MOMENT = 1e9;
const FIRST_MOMENT_MS = 1e12;

const SAID_OF_LIMITS = ['x-ratelimit-reset', 'x-ratelimit-retry-after'];

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Milliseconds to wait after a 429.
 * @param refusals the number of consecutive ones, including this one.
 * @param now the time from which waits until a timestamp are computed if the answer has no date.
 */
export function waitAfterRefusal(headers: Headers, refusals: number, now: Date): number {
  const said = waitSaid(headers, SAID_OF_LIMITS, now);
  if (said === null) return grown(FIRST_WAIT, refusals, LONGEST_GROWN);
  const besides = refusals > BELIEVED ? grown(FIRST_WAIT, refusals - BELIEVED, LONGEST_GROWN) : 0;
  return Math.max(said, besides);
}

/**
 * Milliseconds to wait after a failure, never longer than a time slice spends. Rate-limit headers are ignored.
 * @param failures the number of consecutive ones, including this one.
 */
export function waitAfterFailure(headers: Headers, failures: number, now: Date): number {
  const said = waitSaid(headers, [], now) ?? 0;
  return Math.min(Math.max(said, grown(FIRST_FAILURE_WAIT, failures, LONGEST_SAT_OUT)), LONGEST_SAT_OUT);
}

/**
 * Milliseconds that an answer requests, within limits; null if it requests none that can be read.
 * @param besides headers to read if there is no usable Retry-After.
 */
function waitSaid(headers: Headers, besides: readonly string[], now: Date): number | null {
  const sent = momentIn(headers.date) ?? now.getTime();
  const waits = [
    // Retry-After contains seconds, or an HTTP date.
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

/** The time of an HTTP date. All its forms begin with the day of the week. */
function momentIn(text: string | undefined): number | null {
  if (text === undefined || text.length > 64 || !/^\s*[a-z]{3,9},? /i.test(text)) return null;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : moment;
}

/** Doubles each time. */
function grown(first: number, times: number, most: number): number {
  return Math.min(first * 2 ** Math.min(times - 1, 30), most);
}
