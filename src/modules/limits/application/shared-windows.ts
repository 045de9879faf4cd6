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
import { type Ask, HeldWindow } from '../domain/held-window.js';
import { decisionOf, type RateDecision, type Reading } from '../domain/rate-decision.js';
import type { RateStore } from '../domain/rate-store.js';
import { takeOwn } from './own-windows.js';
import { RateWindows } from './rate-windows.port.js';

/** Maximum number of windows in memory, of about 1 KB each; the least recently used are dropped. */
const MOST_WINDOWS = 20_000;
/** Maximum number of windows per round trip. */
const MOST_ASKED = 500;
/** Milliseconds to wait for a response; after that, the store counts as down. */
const PATIENCE = 1_000;
/** Milliseconds until a store that was down is tried again. */
const ASKED_AGAIN = 1_000;
/** Milliseconds between two checks for expired leases. */
const RETURNS = 250;
/** Milliseconds between two sweeps of expired windows, and the maximum number of batches per sweep. */
const SWEEPS = 600_000;
const MOST_SWEEPS = 100;
/** Maximum number of round trips that a request waits for; after that, this process decides alone. */
const MOST_ROUNDS = 5;

/** A request that waits for the store. */
interface Waiting {
  readonly bounds: readonly Bound[];
  readonly windows: readonly HeldWindow[];
  readonly resolve: (decision: RateDecision) => void;
  rounds: number;
}

/** Where failures of the store are reported. */
export interface StoreReports {
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly failures: Pick<Counter, 'inc'>;
}

export class SharedWindows extends RateWindows implements OnApplicationShutdown {
  private readonly windows = new LRUCache<string, HeldWindow>({ max: MOST_WINDOWS });
  private waiting: Waiting[] = [];
  /** Windows to include in the next round trip without a waiting request: to return a lease, or because it runs low. */
  private readonly aside = new Map<HeldWindow, { readonly limit: number; readonly why: 'more' | 'back' }>();
  private readonly leased = new Map<HeldWindow, number>();
  private exchanging: Promise<void> | undefined;
  private returning: NodeJS.Timeout | undefined;
  private isAway = false;
  private askAgainAt = 0;
  private sweepAt = 0;
  private closed = false;

  /** @param time real time in milliseconds. */
  constructor(
    private readonly store: RateStore,
    private readonly reports: StoreReports,
    private readonly time: () => number = Date.now,
  ) {
    super();
  }

  take(bounds: readonly Bound[]): RateDecision | Promise<RateDecision> {
    const windows = bounds.map((bound) => this.windowOf(bound));
    const decision = this.decide(bounds, windows, this.time());
    if (decision) return decision;
    return new Promise((resolve) => {
      this.waiting.push({ bounds, windows, resolve, rounds: 0 });
      this.exchangeSoon();
    });
  }

  /** Returns all leases, if the store responds. */
  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearTimeout(this.returning);
    await this.exchanging;
    const now = this.time();
    const asks: Ask[] = [];
    for (const [window, limit] of this.leased) {
      window.giveUp();
      const ask = window.askBack(limit, now);
      if (ask.back > 0) asks.push(ask);
    }
    if (asks.length > 0 && !this.isAway)
      await within(PATIENCE, this.store.take(asks.slice(0, MOST_ASKED))).catch((error: unknown) =>
        this.reports.logger.info({ err: error }, 'Permits of rate limits could not be returned'),
      );
    await this.store.close();
  }

  /**
   * Decides without the store; undefined if the store has to be queried. On the path of every event, so it allocates
   * little.
   */
  private decide(
    bounds: readonly Bound[],
    windows: readonly HeldWindow[],
    now: number,
  ): RateDecision | undefined {
    if (this.isAway) return this.decideAlone(bounds, windows, now);
    let full = -1;
    let tightest = -1;
    let least = Number.POSITIVE_INFINITY;
    let fullUntil = 0;
    let isKnown = true;
    for (let i = 0; i < windows.length; i++) {
      const limit = bounds[i]?.limit ?? 0;
      const held = windows[i];
      const standing = held?.standing(limit, now) ?? 'unknown';
      if (!held || standing === 'unknown') isKnown = false;
      else if (standing === 'full') {
        if (full === -1 || held.freesAt > fullUntil) full = i;
        fullUntil = Math.max(fullUntil, held.freesAt);
      } else if (held.room < least) {
        tightest = i;
        least = held.room;
      }
    }
    if (full !== -1) return decisionOf(readingOf(bounds[full], 0, fullUntil), now);
    if (!isKnown) return undefined;
    const freesAt = Math.max(windows[tightest]?.freesAt ?? 0, now);
    for (let i = 0; i < windows.length; i++) {
      const held = windows[i];
      held?.use(now);
      if (held?.runsLow) this.askAside(held, bounds[i]?.limit ?? 0, 'more');
    }
    return decisionOf(readingOf(bounds[tightest], least, freesAt), now);
  }

  private decideAlone(bounds: readonly Bound[], windows: readonly HeldWindow[], now: number): RateDecision {
    if (this.isAway && now >= this.askAgainAt) {
      this.askAgainAt = now + ASKED_AGAIN;
      for (const [i, held] of windows.entries()) this.askAside(held, bounds[i]?.limit ?? 0, 'back');
    }
    return takeOwn(
      bounds,
      windows.map(({ own }) => own),
      now,
    );
  }

  private askAside(window: HeldWindow, limit: number, why: 'more' | 'back'): void {
    if (this.aside.get(window)?.why !== 'more') this.aside.set(window, { limit, why });
    this.exchangeSoon();
  }

  private exchangeSoon(): void {
    if (this.closed) {
      // During shutdown, remaining requests are decided with local knowledge.
      this.settle();
      return;
    }
    // Requests that arrive in the same turn of the event loop share a round trip.
    this.exchanging ??= new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.exchange())
      .finally(() => {
        this.exchanging = undefined;
        if (this.waiting.length > 0 || this.aside.size > 0) this.exchangeSoon();
      });
  }

  private async exchange(): Promise<void> {
    const sentAt = this.time();
    const asked = this.asks(sentAt);
    if (asked.size === 0) return;
    try {
      const grants = await within(PATIENCE, this.store.take([...asked.values()]));
      const now = this.time();
      let i = 0;
      for (const [window, ask] of asked) {
        const grant = grants[i++];
        if (!grant) throw new Error('The rate-limit store did not answer for one of the windows.');
        window.answer(ask, grant, sentAt, now);
        if (window.isHeld) this.leased.set(window, ask.limit);
      }
      if (this.isAway) this.reports.logger.info('The rate-limit store is available again');
      this.isAway = false;
      this.returnLater();
      if (now >= this.sweepAt) void this.sweep(now);
    } catch (error) {
      this.failed(error);
    }
    this.settle(asked);
  }

  private failed(error: unknown): void {
    this.reports.failures.inc();
    if (!this.isAway)
      this.reports.logger.warn(
        { err: error },
        'The rate-limit store is unavailable: this process counts on its own',
      );
    this.isAway = true;
    this.askAgainAt = this.time() + ASKED_AGAIN;
    this.aside.clear();
  }

  /**
   * What to request now, once per window: under the smallest limit of the waiting requests, which is valid for the
   * others too.
   */
  private asks(now: number): Map<HeldWindow, Ask> {
    const wanted = new Map<HeldWindow, { limit: number; need: number }>();
    for (const { bounds, windows } of this.waiting)
      for (const [i, window] of windows.entries()) {
        const limit = bounds[i]?.limit ?? 0;
        if (window.standing(limit, now) !== 'unknown') continue;
        const one = wanted.get(window);
        if (one) {
          one.need++;
          one.limit = Math.min(one.limit, limit);
        } else if (wanted.size < MOST_ASKED) wanted.set(window, { limit, need: 1 });
      }
    const asks = new Map<HeldWindow, Ask>();
    for (const [window, { limit, need }] of wanted) asks.set(window, window.ask(limit, need, now));
    for (const [window, { limit, why }] of this.aside) {
      if (asks.size >= MOST_ASKED) break;
      this.aside.delete(window);
      if (!asks.has(window))
        asks.set(window, why === 'more' ? window.ask(limit, 0, now) : window.askBack(limit, now));
    }
    return asks;
  }

  /** Decides the waiting requests in order of arrival, as far as possible with what is known now. */
  private settle(asked?: ReadonlyMap<HeldWindow, Ask>): void {
    const now = this.time();
    const waiting = this.waiting;
    this.waiting = [];
    for (const one of waiting) {
      const { bounds, windows, resolve } = one;
      if (windows.some((window) => asked?.has(window))) one.rounds++;
      const isLate = this.closed || one.rounds >= MOST_ROUNDS;
      const decision =
        this.decide(bounds, windows, now) ?? (isLate ? this.decideAlone(bounds, windows, now) : undefined);
      if (decision) resolve(decision);
      else this.waiting.push(one);
    }
  }

  private returnLater(): void {
    if (this.returning || this.leased.size === 0 || this.closed) return;
    this.returning = setTimeout(() => {
      this.returning = undefined;
      const now = this.time();
      for (const [window, limit] of this.leased) {
        const hasBack = window.retire(now);
        if (!window.isHeld) this.leased.delete(window);
        if (hasBack && !this.isAway) this.askAside(window, limit, 'back');
      }
      this.returnLater();
    }, RETURNS).unref();
  }

  private async sweep(now: number): Promise<void> {
    this.sweepAt = now + SWEEPS;
    try {
      for (let times = 0; times < MOST_SWEEPS && !this.closed && (await this.store.sweep()); times++);
    } catch (error) {
      this.reports.logger.info({ err: error }, 'Expired rate-limit windows will be removed later');
    }
  }

  private windowOf({ key, length }: Bound): HeldWindow {
    let window = this.windows.get(key);
    if (!window) this.windows.set(key, (window = new HeldWindow(idOf(key), length)));
    return window;
  }
}

function readingOf(bound: Bound | undefined, left: number, freesAt: number): Reading | undefined {
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
async function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      // A response that has arrived but was not read while the process was busy takes precedence.
      () =>
        setImmediate(() => setImmediate(() => reject(new Error(`No response within ${milliseconds} ms.`)))),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
