/**
 * Rate windows of unauthenticated callers: those without credentials, and those whose credentials are not verified.
 * Each kind has the free plan's general limit per network. Each process counts them by itself: these requests cost only
 * its own work, and use up no workspace's allowance.
 */
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import type { AnonymousCaller } from '../domain/caller.js';
import { MINUTE } from '../domain/endpoint.js';
import { PLANS } from '../domain/plan.js';
import { decisionOf, type RateDecision } from '../domain/rate-decision.js';
import { SlidingWindow } from '../domain/sliding-window.js';

/** Maximum number of windows in memory, of about 1 KB each; the least recently used are dropped. */
const MAX_WINDOWS = 20_000;

@Injectable()
export class NetworkRates {
  private readonly windows = new LRUCache<string, SlidingWindow>({ max: MAX_WINDOWS });

  constructor(private readonly metrics: Metrics) {}

  /**
   * Counts one request and decides whether it may pass. A rejected request is not counted.
   * @param now real time in milliseconds.
   */
  check(caller: AnonymousCaller, now: number): RateDecision {
    return this.decide(caller, now, true);
  }

  /** As `check`, but counts nothing: `remaining` is the present value. */
  peek(caller: AnonymousCaller, now: number): RateDecision {
    return this.decide(caller, now, false);
  }

  private decide({ kind, network }: AnonymousCaller, now: number, isCounted: boolean): RateDecision {
    const key = `${kind}:${network}`;
    let window = this.windows.get(key);
    if (!window) this.windows.set(key, (window = new SlidingWindow(MINUTE)));
    const limit = PLANS.free.perWorkspace.general;
    const left = Math.max(0, limit - window.used(now));
    if (left > 0 && isCounted) window.add(now);
    const decision = decisionOf(
      { window: 'network', limit, left, freesAt: window.freesAt(now) },
      now,
      isCounted,
    );
    if (!decision.allowed && isCounted) this.metrics.rateLimited.inc({ window: 'network' });
    return decision;
  }
}
