/**
 * Rate windows shared by several processes. Requests covered by a lease are decided locally; the rest wait for the
 * store, which is queried for all waiting windows in one round trip, one at a time. While the store is down or slow, no
 * request waits: each process counts by itself, logs one line, and a metric counts each failure.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Counter } from 'prom-client';
import type { Bound } from '../domain/bounds.js';
import { type LeaseRequest, LeasedWindow } from '../domain/leased-window.js';
import { decisionOf, type RateDecision, type WindowReading } from '../domain/rate-decision.js';
import type { RateStore } from '../domain/rate-store.js';
import { takeLocally } from './local-windows.js';
import { RateWindows } from './rate-windows.port.js';

/** Maximum number of windows in memory, of about 1 KB each; the least recently used are dropped. */
const MAX_WINDOWS = 20_000;
/** Maximum number of windows per round trip. */
const MAX_WINDOWS_PER_ROUND_TRIP = 500;
/** Milliseconds until a store that was down is tried again. */
const STORE_RETRY_MS = 1_000;
/** Milliseconds between two checks for expired leases. */
const LEASE_CHECK_INTERVAL_MS = 250;
/** Milliseconds between two sweeps of expired windows, and the maximum number of batches per sweep. */
const SWEEP_INTERVAL_MS = 600_000;
const MAX_SWEEP_BATCHES = 100;
/** Maximum number of round trips that a request waits for; after that, this process decides alone. */
const MAX_ROUND_TRIPS = 5;

/** A request that waits for the store. */
interface WaitingRequest {
  readonly bounds: readonly Bound[];
  readonly windows: readonly LeasedWindow[];
  readonly resolve: (decision: RateDecision) => void;
  roundTrips: number;
}

export interface StoreOptions {
  /** Where failures of the store are reported. */
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly failures: Pick<Counter, 'inc'>;
  /** Milliseconds to wait for a response; after that, the store counts as down. */
  readonly timeoutMs?: number;
}

export class SharedWindows extends RateWindows implements OnApplicationShutdown {
  private readonly windows = new LRUCache<string, LeasedWindow>({ max: MAX_WINDOWS });
  private waiting: WaitingRequest[] = [];
  /** Windows to include in the next round trip without a waiting request: to return a lease, or because it runs low. */
  private readonly extraRequests = new Map<
    LeasedWindow,
    { readonly limit: number; readonly purpose: 'more' | 'back' }
  >();
  private readonly leased = new Map<LeasedWindow, number>();
  private roundTrip: Promise<void> | undefined;
  private returnTimer: NodeJS.Timeout | undefined;
  private isStoreDown = false;
  private retryAt = 0;
  private sweepAt = 0;
  private closed = false;
  private readonly timeoutMs: number;

  /** @param time real time in milliseconds. */
  constructor(
    private readonly store: RateStore,
    private readonly options: StoreOptions,
    private readonly time: () => number = Date.now,
  ) {
    super();
    this.timeoutMs = options.timeoutMs ?? 1_000;
  }

  consume(bounds: readonly Bound[]): RateDecision | Promise<RateDecision> {
    const windows = bounds.map((bound) => this.windowOf(bound));
    const decision = this.decide(bounds, windows, this.time());
    if (decision) return decision;
    return new Promise((resolve) => {
      this.waiting.push({ bounds, windows, resolve, roundTrips: 0 });
      this.scheduleRoundTrip();
    });
  }

  /** Returns all leases, if the store responds. */
  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearTimeout(this.returnTimer);
    await this.roundTrip;
    const now = this.time();
    const returns: LeaseRequest[] = [];
    for (const [window, limit] of this.leased) {
      window.endLease();
      const request = window.requestReturn(limit, now);
      if (request.unused > 0) returns.push(request);
    }
    if (returns.length > 0 && !this.isStoreDown)
      await withTimeout(this.timeoutMs, this.store.grant(returns.slice(0, MAX_WINDOWS_PER_ROUND_TRIP))).catch(
        (error: unknown) =>
          this.options.logger.info({ err: error }, 'Permits of rate limits could not be returned'),
      );
    await this.store.close();
  }

  /**
   * Decides without the store; undefined if the store has to be queried. On the path of every event, so it allocates
   * little.
   */
  private decide(
    bounds: readonly Bound[],
    windows: readonly LeasedWindow[],
    now: number,
  ): RateDecision | undefined {
    if (this.isStoreDown) return this.decideLocally(bounds, windows, now);
    let full = -1;
    let tightest = -1;
    let least = Number.POSITIVE_INFINITY;
    let fullUntil = 0;
    let isKnown = true;
    for (let i = 0; i < windows.length; i++) {
      const limit = bounds[i]?.limit ?? 0;
      const window = windows[i];
      const status = window?.status(limit, now) ?? 'unknown';
      if (!window || status === 'unknown') isKnown = false;
      else if (status === 'full') {
        if (full === -1 || window.freesAt > fullUntil) full = i;
        fullUntil = Math.max(fullUntil, window.freesAt);
      } else if (window.capacity < least) {
        tightest = i;
        least = window.capacity;
      }
    }
    if (full !== -1) return decisionOf(readingOf(bounds[full], 0, fullUntil), now);
    if (!isKnown) return undefined;
    const freesAt = Math.max(windows[tightest]?.freesAt ?? 0, now);
    for (let i = 0; i < windows.length; i++) {
      const window = windows[i];
      window?.use(now);
      if (window?.isNearlyUsed) this.requestExtra(window, bounds[i]?.limit ?? 0, 'more');
    }
    return decisionOf(readingOf(bounds[tightest], least, freesAt), now);
  }

  private decideLocally(
    bounds: readonly Bound[],
    windows: readonly LeasedWindow[],
    now: number,
  ): RateDecision {
    if (this.isStoreDown && now >= this.retryAt) {
      this.retryAt = now + STORE_RETRY_MS;
      for (const [i, window] of windows.entries()) this.requestExtra(window, bounds[i]?.limit ?? 0, 'back');
    }
    return takeLocally(
      bounds,
      windows.map(({ local }) => local),
      now,
    );
  }

  private requestExtra(window: LeasedWindow, limit: number, purpose: 'more' | 'back'): void {
    if (this.extraRequests.get(window)?.purpose !== 'more')
      this.extraRequests.set(window, { limit, purpose });
    this.scheduleRoundTrip();
  }

  private scheduleRoundTrip(): void {
    if (this.closed) {
      // During shutdown, remaining requests are decided with local knowledge.
      this.decideWaiting();
      return;
    }
    // Requests that arrive in the same turn of the event loop share a round trip.
    this.roundTrip ??= new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.queryStore())
      .finally(() => {
        this.roundTrip = undefined;
        if (this.waiting.length > 0 || this.extraRequests.size > 0) this.scheduleRoundTrip();
      });
  }

  private async queryStore(): Promise<void> {
    const sentAt = this.time();
    const requested = this.leaseRequests(sentAt);
    if (requested.size === 0) return;
    try {
      const grants = await withTimeout(this.timeoutMs, this.store.grant([...requested.values()]));
      const now = this.time();
      let i = 0;
      for (const [window, request] of requested) {
        const grant = grants[i++];
        if (!grant) throw new Error('The rate-limit store did not answer for one of the windows.');
        window.applyGrant(request, grant, sentAt, now);
        if (window.isLeased) this.leased.set(window, request.limit);
      }
      if (this.isStoreDown) this.options.logger.info('The rate-limit store is available again');
      this.isStoreDown = false;
      this.scheduleReturns();
      if (now >= this.sweepAt) void this.sweep(now);
    } catch (error) {
      this.recordFailure(error);
    }
    this.decideWaiting(requested);
  }

  private recordFailure(error: unknown): void {
    this.options.failures.inc();
    if (!this.isStoreDown)
      this.options.logger.warn(
        { err: error },
        'The rate-limit store is unavailable: this process counts on its own',
      );
    this.isStoreDown = true;
    this.retryAt = this.time() + STORE_RETRY_MS;
    this.extraRequests.clear();
  }

  /**
   * What to request now, once per window: under the smallest limit of the waiting requests, which is valid for the
   * others too.
   */
  private leaseRequests(now: number): Map<LeasedWindow, LeaseRequest> {
    const needs = new Map<LeasedWindow, { limit: number; required: number }>();
    for (const { bounds, windows } of this.waiting)
      for (const [i, window] of windows.entries()) {
        const limit = bounds[i]?.limit ?? 0;
        if (window.status(limit, now) !== 'unknown') continue;
        const entry = needs.get(window);
        if (entry) {
          entry.required++;
          entry.limit = Math.min(entry.limit, limit);
        } else if (needs.size < MAX_WINDOWS_PER_ROUND_TRIP) needs.set(window, { limit, required: 1 });
      }
    const requests = new Map<LeasedWindow, LeaseRequest>();
    for (const [window, { limit, required }] of needs)
      requests.set(window, window.requestLease(limit, required, now));
    for (const [window, { limit, purpose }] of this.extraRequests) {
      if (requests.size >= MAX_WINDOWS_PER_ROUND_TRIP) break;
      this.extraRequests.delete(window);
      if (!requests.has(window))
        requests.set(
          window,
          purpose === 'more' ? window.requestLease(limit, 0, now) : window.requestReturn(limit, now),
        );
    }
    return requests;
  }

  /** Decides the waiting requests in order of arrival, as far as possible with what is known now. */
  private decideWaiting(requested?: ReadonlyMap<LeasedWindow, LeaseRequest>): void {
    const now = this.time();
    const waiting = this.waiting;
    this.waiting = [];
    for (const request of waiting) {
      const { bounds, windows, resolve } = request;
      if (windows.some((window) => requested?.has(window))) request.roundTrips++;
      const isLate = this.closed || request.roundTrips >= MAX_ROUND_TRIPS;
      const decision =
        this.decide(bounds, windows, now) ?? (isLate ? this.decideLocally(bounds, windows, now) : undefined);
      if (decision) resolve(decision);
      else this.waiting.push(request);
    }
  }

  private scheduleReturns(): void {
    if (this.returnTimer || this.leased.size === 0 || this.closed) return;
    this.returnTimer = setTimeout(() => {
      this.returnTimer = undefined;
      const now = this.time();
      for (const [window, limit] of this.leased) {
        const hasUnused = window.retire(now);
        if (!window.isLeased) this.leased.delete(window);
        if (hasUnused && !this.isStoreDown) this.requestExtra(window, limit, 'back');
      }
      this.scheduleReturns();
    }, LEASE_CHECK_INTERVAL_MS).unref();
  }

  private async sweep(now: number): Promise<void> {
    this.sweepAt = now + SWEEP_INTERVAL_MS;
    try {
      for (let times = 0; times < MAX_SWEEP_BATCHES && !this.closed && (await this.store.sweep()); times++);
    } catch (error) {
      this.options.logger.info({ err: error }, 'Expired rate-limit windows will be removed later');
    }
  }

  private windowOf({ key, length }: Bound): LeasedWindow {
    let window = this.windows.get(key);
    if (!window) this.windows.set(key, (window = new LeasedWindow(idOf(key), length)));
    return window;
  }
}

function readingOf(bound: Bound | undefined, left: number, freesAt: number): WindowReading | undefined {
  return bound && { window: bound.window, limit: bound.limit, left, freesAt };
}

/** Hashes a key to a UUID, since keys can have any length and are private. */
function idOf(key: string): string {
  return createHash('sha256')
    .update(key)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** @throws Error if the promise does not settle within this time. */
async function withTimeout<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      // A response that has arrived but was not read while the process was busy takes precedence.
      () =>
        setImmediate(() => setImmediate(() => reject(new Error(`No response within ${milliseconds} ms.`)))),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
