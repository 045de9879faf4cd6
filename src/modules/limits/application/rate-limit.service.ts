/**
 * The rate limits of authenticated callers (section 8.1). A single process counts in memory; several processes share a
 * store.
 */
import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { type Bound, boundsOf } from '../domain/bounds.js';
import type { KnownCaller } from '../domain/caller.js';
import type { EndpointClass } from '../domain/endpoint.js';
import { decisionOf, type RateDecision } from '../domain/rate-decision.js';
import { RateWindows } from './rate-windows.port.js';

@Injectable()
export class RateLimitService {
  /** Cached per caller object, since callers are cached by authentication and call the same endpoints repeatedly. */
  private readonly bounds = new WeakMap<KnownCaller, Map<EndpointClass, readonly Bound[]>>();

  constructor(
    private readonly windows: RateWindows,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Counts one request and decides whether it may pass; waits only for the shared store. A rejected request is not
   * counted.
   */
  check(caller: KnownCaller, endpoint: EndpointClass): RateDecision | Promise<RateDecision> {
    const bounds = this.boundsFor(caller, endpoint);
    if (bounds.length === 0) return decisionOf(undefined, Date.now());
    const decision = this.windows.consume(bounds);
    return decision instanceof Promise
      ? decision.then((made) => this.recordRejection(made))
      : this.recordRejection(decision);
  }

  private recordRejection(decision: RateDecision): RateDecision {
    if (!decision.allowed && decision.window) this.metrics.rateLimited.inc({ window: decision.window });
    return decision;
  }

  private boundsFor(caller: KnownCaller, endpoint: EndpointClass): readonly Bound[] {
    let known = this.bounds.get(caller);
    if (!known) this.bounds.set(caller, (known = new Map<EndpointClass, readonly Bound[]>()));
    let bounds = known.get(endpoint);
    if (!bounds) known.set(endpoint, (bounds = boundsOf(caller, endpoint)));
    return bounds;
  }
}
