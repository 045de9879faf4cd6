/**
 * The rate limits of section 8.1, counted in process. Reading of its two schemes: keys fall under scheme B (per
 * workspace and group) and under their own limit where they have one; members under scheme A (per person, minute
 * and hour); callers without a principal under the free plan's general limit, per network.
 */
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Principal } from '../../../kernel/principal.js';
import { type EndpointClass, HOUR, MINUTE } from '../domain/endpoint.js';
import { planOf, PLANS } from '../domain/plan.js';
import { SlidingWindow } from '../domain/sliding-window.js';

/**
 * Someone whom no credentials name (a stranger), or whose credentials are not known to be right: each kind has a
 * window of its own for every network.
 */
export interface Stranger {
  readonly kind: 'stranger' | 'unproven';
  /** See ClientNetworks. */
  readonly network: string;
}

/** Someone whom a token names, of whom no workspace is asked: the free plan's limits of one person hold. */
export interface Person {
  readonly kind: 'person';
  readonly subject: string;
}

export type Caller = Principal | Person | Stranger;

function isStranger(caller: Caller): caller is Stranger {
  return caller.kind === 'stranger' || caller.kind === 'unproven';
}

export interface RateDecision {
  readonly allowed: boolean;
  /** Requests in the window that binds most. */
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in whole seconds at which the window begins to free. */
  readonly reset: number;
  /** Seconds after which a refused request may come again; 0 when allowed. */
  readonly retryAfter: number;
}

/** What an unlimited caller is told: the greatest number that every client's integer holds. */
const UNLIMITED_SHOWN = 2_147_483_647;

/** Windows kept at once, of some 1 KB each; beyond it those that were asked longest ago are dropped. */
const MOST_WINDOWS = 20_000;

interface Bound {
  readonly window: SlidingWindow;
  readonly limit: number;
}

@Injectable()
export class RateLimitService {
  /** Apart, so that no flood of addresses makes room among the windows of those who are known. */
  private readonly windows = {
    principals: new LRUCache<string, SlidingWindow>({ max: MOST_WINDOWS }),
    networks: new LRUCache<string, SlidingWindow>({ max: MOST_WINDOWS }),
  };

  /**
   * Counts one request and says whether it may pass. A refused one is not counted.
   * @param endpoint undefined where no endpoint is asked for: the general limit holds.
   * @param now real time in milliseconds.
   */
  check(caller: Caller, endpoint: EndpointClass | undefined, now: number): RateDecision {
    return this.decide(caller, endpoint, now, true);
  }

  /** As `check`, and counts nothing: `remaining` is what there is now. */
  look(caller: Caller, endpoint: EndpointClass | undefined, now: number): RateDecision {
    return this.decide(caller, endpoint, now, false);
  }

  private decide(
    caller: Caller,
    endpoint: EndpointClass | undefined,
    now: number,
    counts: boolean,
  ): RateDecision {
    const bounds = this.boundsOf(caller, endpoint);
    let tightest: Bound | undefined;
    let remaining = Number.POSITIVE_INFINITY;
    for (const bound of bounds) {
      const left = Math.max(0, bound.limit - bound.window.used(now));
      if (
        left < remaining ||
        (left === 0 && bound.window.freesAt(now) > (tightest?.window.freesAt(now) ?? 0))
      ) {
        remaining = left;
        tightest = bound;
      }
    }
    if (!tightest)
      return {
        allowed: true,
        limit: UNLIMITED_SHOWN,
        remaining: UNLIMITED_SHOWN,
        reset: Math.ceil((now + MINUTE) / 1_000),
        retryAfter: 0,
      };
    const allowed = remaining > 0;
    if (allowed && counts) for (const { window } of bounds) window.add(now);
    const freesAt = tightest.window.freesAt(now);
    return {
      allowed,
      limit: tightest.limit,
      remaining: allowed && counts ? remaining - 1 : remaining,
      reset: Math.ceil(freesAt / 1_000),
      retryAfter: allowed ? 0 : Math.max(1, Math.ceil((freesAt - now) / 1_000)),
    };
  }

  private boundsOf(
    caller: Caller,
    { group, own }: Pick<EndpointClass, 'group' | 'own'> = { group: 'general', own: undefined },
  ): Bound[] {
    const bounds: Bound[] = [];
    if (isStranger(caller)) {
      const window = windowOf(this.windows.networks, `${caller.kind}:${caller.network}`, MINUTE);
      return [{ window, limit: PLANS.free.perWorkspace.general }];
    }
    const bind = (key: string, limit: number, length: number): void => {
      if (limit !== Number.POSITIVE_INFINITY)
        bounds.push({ window: windowOf(this.windows.principals, key, length), limit });
    };
    if (caller.kind === 'person') {
      bind(`person minute:${caller.subject}`, PLANS.free.perPerson.minute, MINUTE);
      bind(`person hour:${caller.subject}`, PLANS.free.perPerson.hour, HOUR);
      return bounds;
    }
    const plan = planOf(caller.plan);
    if (caller.kind === 'api_key') {
      bind(`${group}:${caller.workspaceId}`, plan.perWorkspace[group], MINUTE);
      if (caller.rateLimitPerMinute !== null) bind(`key:${caller.keyId}`, caller.rateLimitPerMinute, MINUTE);
    } else {
      bind(`minute:${caller.subject}`, plan.perPerson.minute, MINUTE);
      bind(`hour:${caller.subject}`, plan.perPerson.hour, HOUR);
    }
    if (own) bind(`${own.name}:${caller.workspaceId}`, own.limit, own.window);
    return bounds;
  }
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
    `The limit of ${limit} requests is reached; try again in ${retryAfter} s.`,
    { retry_after: retryAfter },
  );
}

function windowOf(windows: LRUCache<string, SlidingWindow>, key: string, length: number): SlidingWindow {
  let window = windows.get(key);
  if (!window) windows.set(key, (window = new SlidingWindow(length)));
  return window;
}
