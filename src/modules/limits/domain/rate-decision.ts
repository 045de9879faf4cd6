/** What is answered to a request as far as rates are concerned: it passes or not, and what its headers say (section 8.1). */
import { DomainError } from '../../../kernel/domain-error.js';
import { MINUTE } from './endpoint.js';

export interface RateDecision {
  readonly allowed: boolean;
  /** Requests in the window that binds most. */
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in whole seconds at which the window begins to free. */
  readonly reset: number;
  /** Seconds after which a refused request may come again; 0 when allowed. */
  readonly retryAfter: number;
  /** What a refusal is counted under; undefined where nothing binds. */
  readonly window: WindowName | undefined;
}

/** The kinds of windows, as metrics name them. */
export type WindowName = 'key' | 'person' | 'workspace' | 'endpoint' | 'network';

/** How a window stands before a request is counted in it. */
export interface Reading {
  readonly window: WindowName;
  readonly limit: number;
  /** Requests that it has room for, 0 or more. */
  readonly left: number;
  /** When its oldest request leaves it, in milliseconds. */
  readonly freesAt: number;
}

/** What an unlimited caller is told: the greatest number that every client's integer holds. */
const UNLIMITED_SHOWN = 2_147_483_647;

/**
 * Of two windows the one that binds more: the one with less room; of two that are full, the one that frees later.
 * @param one undefined where there is none yet.
 */
export function tighter(one: Reading | undefined, other: Reading): Reading {
  if (!one || other.left < one.left) return other;
  return other.left === 0 && one.left === 0 && other.freesAt > one.freesAt ? other : one;
}

/**
 * The decision of the window that binds most.
 * @param tightest undefined where nothing binds.
 * @param counts whether the request is counted where it passes: `remaining` is what is left behind it.
 */
export function decisionOf(tightest: Reading | undefined, now: number, counts = true): RateDecision {
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
    remaining: allowed && counts ? left - 1 : left,
    reset: Math.ceil(freesAt / 1_000),
    retryAfter: allowed ? 0 : Math.max(1, Math.ceil((freesAt - now) / 1_000)),
    window,
  };
}

/** The headers of section 8.1, which every answer of a limited endpoint carries. */
export function rateHeaders(decision: RateDecision): Record<string, number> {
  return {
    'x-ratelimit-limit': decision.limit,
    'x-ratelimit-remaining': decision.remaining,
    'x-ratelimit-reset': decision.reset,
  };
}

/** @throws DomainError rate_limit_exceeded with retry_after, when the decision refuses. */
export function assertAllowed({ allowed, limit, retryAfter }: RateDecision): void {
  if (allowed) return;
  throw new DomainError(
    'rate_limit_exceeded',
    `The limit of ${limit} requests is reached: try again in ${retryAfter} s.`,
    { retry_after: retryAfter },
  );
}
