/**
 * The rate limits of section 8.1, counted in process. Reading of its two schemes: keys fall under scheme B (per
 * workspace and group) and under their own limit where they have one; members under scheme A (per person, minute
 * and hour); callers without a principal under the free plan's general limit, per address.
 */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Principal } from '../../../kernel/principal.js';
import { type EndpointClass, HOUR, MINUTE } from '../domain/endpoint.js';
import { planOf, PLANS } from '../domain/plan.js';
import { SlidingWindow } from '../domain/sliding-window.js';

/** Someone whom no credentials name. */
export interface Stranger {
  readonly kind: 'stranger';
  readonly ip: string;
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

/** Windows kept at once; beyond it idle ones are dropped, then the oldest. */
const MOST_WINDOWS = 20_000;

interface Bound {
  readonly window: SlidingWindow;
  readonly limit: number;
}

@Injectable()
export class RateLimitService {
  private readonly windows = new Map<string, SlidingWindow>();

  /**
   * Counts one request and says whether it may pass. A refused one is not counted.
   * @param now real time in milliseconds.
   */
  check(caller: Principal | Stranger, endpoint: EndpointClass, now: number): RateDecision {
    const bounds = this.boundsOf(caller, endpoint, now);
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
    if (allowed) for (const { window } of bounds) window.add(now);
    const freesAt = tightest.window.freesAt(now);
    return {
      allowed,
      limit: tightest.limit,
      remaining: allowed ? remaining - 1 : 0,
      reset: Math.ceil(freesAt / 1_000),
      retryAfter: allowed ? 0 : Math.max(1, Math.ceil((freesAt - now) / 1_000)),
    };
  }

  private boundsOf(caller: Principal | Stranger, { group, own }: EndpointClass, now: number): Bound[] {
    const bounds: Bound[] = [];
    const bind = (key: string, limit: number, length: number): void => {
      if (limit !== Number.POSITIVE_INFINITY) bounds.push({ window: this.windowOf(key, length, now), limit });
    };
    if (caller.kind === 'stranger') {
      bind(`stranger:${networkOf(caller.ip)}`, PLANS.free.perWorkspace.general, MINUTE);
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

  private windowOf(key: string, length: number, now: number): SlidingWindow {
    let window = this.windows.get(key);
    if (!window) {
      if (this.windows.size >= MOST_WINDOWS) this.makeRoom(now);
      this.windows.set(key, (window = new SlidingWindow(length)));
    }
    return window;
  }

  private makeRoom(now: number): void {
    for (const [key, window] of this.windows) if (window.used(now) === 0) this.windows.delete(key);
    // A tenth at once, so that a flood of addresses does not look through all of them for each request.
    const surplus = this.windows.size - MOST_WINDOWS * 0.9;
    if (surplus <= 0) return;
    let dropped = 0;
    for (const key of this.windows.keys()) {
      if (dropped++ >= surplus) return;
      this.windows.delete(key);
    }
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

/** One household has a whole /64 of IPv6, and may not have as many windows as it has addresses. */
function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip;
  const groups = (ip.split('::')[0] ?? '').split(':');
  return [0, 1, 2, 3].map((i) => groups[i] || '0').join(':');
}
