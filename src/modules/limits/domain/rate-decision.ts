/** The outcome of rate limiting for a request: whether it passes, and its response headers (section 8.1). */
import { DomainError } from '../../../kernel/domain-error.js';
import { MINUTE } from './endpoint.js';

export interface RateDecision {
  readonly allowed: boolean;
  /** The limit of the tightest window, in requests. */
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in whole seconds at which the window starts to free up. */
  readonly reset: number;
  /** Seconds after which a rejected request may be retried; 0 when allowed. */
  readonly retryAfter: number;
  /** The label under which a rejection is counted; undefined if no limit applies. */
  readonly window: WindowName | undefined;
}

/** The kinds of windows, as metrics name them. */
export type WindowName = 'key' | 'person' | 'workspace' | 'endpoint' | 'network';

/** The state of a window before a request is counted in it. */
export interface WindowReading {
  readonly window: WindowName;
  readonly limit: number;
  /** Requests left, 0 or more. */
  readonly left: number;
  /** When its oldest request leaves it, in milliseconds. */
  readonly freesAt: number;
}

/** The limit shown to an unlimited caller: the largest number that fits every client's integer type. */
const UNLIMITED_SHOWN = 2_147_483_647;

/**
 * Returns the tighter of two windows: the one with fewer requests left; if both are full, the one that frees up later.
 * @param one undefined if there is none yet.
 */
export function tighter(one: WindowReading | undefined, other: WindowReading): WindowReading {
  if (!one || other.left < one.left) return other;
  return other.left === 0 && one.left === 0 && other.freesAt > one.freesAt ? other : one;
}

/**
 * Returns the decision of the tightest window.
 * @param tightest undefined if no limit applies.
 * @param isCounted whether the request is counted if it passes: `remaining` is then the number left after it.
 */
export function decisionOf(tightest: WindowReading | undefined, now: number, isCounted = true): RateDecision {
  if (!tightest)
    return {
      allowed: true,
      limit: UNLIMITED_SHOWN,
      remaining: UNLIMITED_SHOWN,
      reset: Math.ceil((now + MINUTE) / 1_000),
      retryAfter: 0,
      window: undefined,
    };
  const { window, limit, left, freesAt } = tightest;
  const allowed = left > 0;
  return {
    allowed,
    limit,
    remaining: allowed && isCounted ? left - 1 : left,
    reset: Math.ceil(freesAt / 1_000),
    retryAfter: allowed ? 0 : Math.max(1, Math.ceil((freesAt - now) / 1_000)),
    window,
  };
}

/** The headers of section 8.1, which every response of a limited endpoint carries. */
export function rateHeaders(decision: RateDecision): Record<string, number> {
  return {
    'x-ratelimit-limit': decision.limit,
    'x-ratelimit-remaining': decision.remaining,
    'x-ratelimit-reset': decision.reset,
  };
}

/** @throws DomainError rate_limit_exceeded with retry_after, if the decision rejects the request. */
export function assertAllowed({ allowed, limit, retryAfter }: RateDecision): void {
  if (allowed) return;
  throw new DomainError(
    'rate_limit_exceeded',
    `The limit of ${limit} requests is reached: try again in ${retryAfter} s.`,
    { retry_after: retryAfter },
  );
}
