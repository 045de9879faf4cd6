/**
 * How long to wait before the next request to a platform: what it requests, within limits, if that can be read;
 * otherwise longer each time.
 */

const SECOND = 1_000;

/** Minimum wait in milliseconds, whatever a platform requests. */
const MIN_WAIT_MS = 250;
const MAX_WAIT_MS = 3_600 * SECOND;
/** A longer wait ends the job's time slice. */
export const MAX_INLINE_WAIT_MS = 30 * SECOND;

/** The first of growing waits. */
const INITIAL_BACKOFF_MS = SECOND;
const MAX_BACKOFF_MS = 120 * SECOND;
/** Consecutive refusals for which the platform's requested wait is trusted. From then on, waits also grow. */
const TRUSTED_RATE_LIMITS = 10;

/** Waits after failures grow from half a second. They are spent within the time slice. */
const INITIAL_FAILURE_BACKOFF_MS = SECOND / 2;

/**
 * Larger numbers are timestamps, as seconds or milliseconds since the epoch; smaller ones are durations in seconds.
 */
const MIN_EPOCH_SECONDS = 1e9;
const MIN_EPOCH_MS = 1e12;

const RATE_LIMIT_HEADERS = ['x-ratelimit-reset', 'x-ratelimit-retry-after'];

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Milliseconds to wait after a 429.
 * @param rateLimitCount the number of consecutive ones, including this one.
 * @param now the time from which waits until a timestamp are computed if the answer has no date.
 */
export function waitAfterRateLimit(headers: Headers, rateLimitCount: number, now: Date): number {
  const requested = requestedWait(headers, RATE_LIMIT_HEADERS, now);
  if (requested === null) return backoff(INITIAL_BACKOFF_MS, rateLimitCount, MAX_BACKOFF_MS);
  const ownBackoff =
    rateLimitCount > TRUSTED_RATE_LIMITS
      ? backoff(INITIAL_BACKOFF_MS, rateLimitCount - TRUSTED_RATE_LIMITS, MAX_BACKOFF_MS)
      : 0;
  return Math.max(requested, ownBackoff);
}

/**
 * Milliseconds to wait after a failure, never longer than a time slice spends. Rate-limit headers are ignored.
 * @param failureCount the number of consecutive ones, including this one.
 */
export function waitAfterFailure(headers: Headers, failureCount: number, now: Date): number {
  const requested = requestedWait(headers, [], now) ?? 0;
  return Math.min(
    Math.max(requested, backoff(INITIAL_FAILURE_BACKOFF_MS, failureCount, MAX_INLINE_WAIT_MS)),
    MAX_INLINE_WAIT_MS,
  );
}

/**
 * Milliseconds that an answer requests, within limits; null if it requests none that can be read.
 * @param otherHeaders headers to read if there is no usable Retry-After.
 */
function requestedWait(headers: Headers, otherHeaders: readonly string[], now: Date): number | null {
  const sent = momentIn(headers.date) ?? now.getTime();
  const waits = [
    // Retry-After contains seconds, or an HTTP date.
    spanIn(headers['retry-after'], sent) ?? spanTo(momentIn(headers['retry-after']), sent),
    ...otherHeaders.map((name) => spanIn(headers[name], sent)),
  ];
  const requested = waits.find((wait) => wait !== null) ?? null;
  return requested === null ? null : Math.min(Math.max(requested, MIN_WAIT_MS), MAX_WAIT_MS);
}

function spanIn(text: string | undefined, sent: number): number | null {
  if (text === undefined || !/^\s*\d{1,15}(\.\d{1,15})?\s*$/.test(text)) return null;
  const value = Number(text);
  if (value < MIN_EPOCH_SECONDS) return value * SECOND;
  return value < MIN_EPOCH_MS ? value * SECOND - sent : value - sent;
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
function backoff(first: number, attempt: number, max: number): number {
  return Math.min(first * 2 ** Math.min(attempt - 1, 30), max);
}
