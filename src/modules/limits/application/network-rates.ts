/**
 * The windows of those who are not known: strangers, and bearers of credentials that have not proved right, each under the
 * free plan's general limit, per network. They are counted in this process alone: what they may cost is a process's own
 * work, and nobody's allowance.
 */
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import type { Stranger } from '../domain/caller.js';
import { MINUTE } from '../domain/endpoint.js';
import { PLANS } from '../domain/plan.js';
import { decisionOf, type RateDecision } from '../domain/rate-decision.js';
import { SlidingWindow } from '../domain/sliding-window.js';

/** Windows kept at once, of some 1 KB each; beyond it those that were asked longest ago are dropped. */
const MOST_WINDOWS = 20_000;

@Injectable()
export class NetworkRates {
  private readonly windows = new LRUCache<string, SlidingWindow>({ max: MOST_WINDOWS });

  constructor(private readonly metrics: Metrics) {}

  /**
   * Counts one request and says whether it may pass. A refused one is not counted.
   * @param now real time in milliseconds.
   */
  check(caller: Stranger, now: number): RateDecision {
    return this.decide(caller, now, true);
  }

  /** As `check`, and counts nothing: `remaining` is what there is now. */
  look(caller: Stranger, now: number): RateDecision {
    return this.decide(caller, now, false);
  }

  private decide({ kind, network }: Stranger, now: number, counts: boolean): RateDecision {
    const key = `${kind}:${network}`;
    let window = this.windows.get(key);
    if (!window) this.windows.set(key, (window = new SlidingWindow(MINUTE)));
    const limit = PLANS.free.perWorkspace.general;
    const left = Math.max(0, limit - window.used(now));
    if (left > 0 && counts) window.add(now);
    const decision = decisionOf(
      { window: 'network', limit, left, freesAt: window.freesAt(now) },
      now,
      counts,
    );
    if (!decision.allowed && counts) this.metrics.rateLimited.inc({ window: 'network' });
    return decision;
  }
}
