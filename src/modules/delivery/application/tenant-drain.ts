/**
 * One turn of sending for a tenant. Claim-and-settle batches (`exchange`) and attempts run concurrently. A batch stores
 * all attempts that have finished since the last one, and claims as many messages as lanes are free. So the slower the
 * database is, the more each batch carries. While promotional messages wait for a slow server, the ledger is polled for
 * transactional ones, even after the turn has ended and only waits for answers.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.js';
import { CONTENT_TYPES, type ContentType } from '../../../kernel/email-settings.js';
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import { isUnreachable } from '../../../platform/database/database.js';
import { failureOf } from '../../dead-letters/application/failure.js';
import { isExhausted, addFailure, type Failures } from '../../dead-letters/domain/retry-policy.js';
import type { ClaimedSend, FinishedSend } from '../domain/claimed-send.js';
import type { UnstoredOutcome } from '../domain/unstored-outcome.js';
import type { SendAttempts } from './send-attempts.js';
import { CLAIM_NONE, type SendBatches } from './send-batches.js';
import { isOpen, type MailRoute, type Routing } from './mail-routes.js';
import {
  NO_SLOTS,
  sumSlots,
  type SlotCount,
  type TransportSlots,
  type AcquiredSlots,
  type ContentKinds,
} from './transport-slots.js';
import type { SendReviews } from './send-reviews.js';

/**
 * A batch costs as much for one message as for a dozen. While more than COMPANY attempts are in flight, outcomes wait
 * for others, for at most MAX_BATCH_DELAY_MS milliseconds of real time.
 */
const TARGET_BATCH_SIZE = 12;
const MAX_BATCH_DELAY_MS = 30;

/** Milliseconds of real time between attempts to reach a database that is down, and the number of attempts. */
const DATABASE_RETRY_MS = 250;
const MAX_DATABASE_TRIES = 40;

/**
 * Milliseconds of real time after which the ledger is polled for transactional messages, if nothing else triggers it.
 */
const POLL_INTERVAL_MS = 250;

/** When the ledger refuses the outcomes of this number of messages, no more are claimed. */
const MAX_DEFERRED_OUTCOMES = 32;

const NO_KINDS: ContentKinds = { transactional: false, promotional: false };

export interface DrainTools {
  readonly exchange: SendBatches;
  readonly attempts: SendAttempts;
  readonly reviews: SendReviews;
  readonly clock: Clock;
  /** The routes that the tenant's mail can use, in order. */
  readonly routes: readonly MailRoute[];
  /** Aborts when the process shuts down. */
  readonly ending: AbortSignal;
  /** Turns that failed for reasons that may pass; undefined when the last one did not fail. */
  readonly failures: Failures | undefined;
}

/** Lanes that were taken, and their route. */
interface AcquiredRoute extends Routing {
  readonly count: AcquiredSlots;
}

export class TenantDrain {
  /** Ids of claimed messages whose outcome is not stored yet. */
  private readonly inFlight = new Set<string>();
  /** Those whose attempt has ended and whose outcome is not being stored yet. */
  private finished: FinishedSend[] = [];
  /** Those whose outcome the ledger refuses even alone. They wait for the next turn. */
  private deferred: UnstoredOutcome[] = [];
  /** How often storing a message's outcome alone has failed, by id. */
  private readonly failures = new Map<string, Failures>();
  /** Claimed messages that hold a lane. Outcomes from an earlier turn hold none. */
  private readonly slotsBySend = new Map<string, TransportSlots>();
  /** Those that held a lane when the turn ended. */
  private lastSends: ReadonlySet<string> | undefined;
  /** Attempts that have not ended. */
  private attempting = 0;
  private isBatchRunning = false;
  /** When the first message of `finished` ended, by the process's own clock. */
  private finishedSince = 0;
  /** The kinds for which the last claim found fewer due messages than lanes. */
  private readonly exhausted: Record<ContentType, boolean> = { transactional: false, promotional: false };
  /** A claim may have been lost. Before the next one, the messages that it claimed must be recovered. */
  private mustRecover = true;
  /** Whether a review of messages held by clocks is not finished. */
  private isReviewLeft = false;
  private databaseTries = 0;
  /** The error that ends the turn. */
  private failure: Error | undefined;
  private wake: () => void = () => undefined;

  /** @param unstored outcomes that an earlier turn could not store. */
  constructor(
    private readonly scope: TenantScope,
    private readonly tools: DrainTools,
    unstored: readonly UnstoredOutcome[],
  ) {
    const now = tools.clock.now();
    for (const outcome of unstored) {
      const { finished, failures } = outcome;
      this.inFlight.add(finished.send.id);
      if (failures) this.failures.set(finished.send.id, failures);
      if (failures && now < failures.until) this.deferred.push(outcome);
      else this.finished.push(finished);
    }
  }

  /** Outcomes that are not in the ledger yet. */
  get unstored(): readonly UnstoredOutcome[] {
    const untried = this.finished.map((finished) => ({
      finished,
      failures: this.failures.get(finished.send.id),
    }));
    return [...this.deferred, ...untried];
  }

  /**
   * Works until nothing is due or `mayContinue` returns false, then only finishes the claimed messages.
   * @param shutdownAbort aborts when claimed messages should not be waited for any longer.
   * @returns whether due rows may be left.
   * @throws what prevents outcomes from being stored; `unstored` has them.
   */
  async run(mayContinue: () => boolean, shutdownAbort: AbortSignal): Promise<boolean> {
    const leave = (): void => this.wake();
    shutdownAbort.addEventListener('abort', leave);
    try {
      for (;;) {
        const next = await this.step(mayContinue());
        if (next !== 'again') return next === 'left' || this.isReviewLeft;
        if (shutdownAbort.aborted) return true;
      }
    } catch (error) {
      // Lanes are released only when none of their messages is being transmitted any more.
      while (this.isBusy && !shutdownAbort.aborted) await this.nextChange();
      throw error;
    } finally {
      shutdownAbort.removeEventListener('abort', leave);
      for (const { slots } of this.tools.routes) slots.leave(this);
    }
  }

  /** Whether attempts are in progress or outcomes are being stored. */
  private get isBusy(): boolean {
    return this.attempting > 0 || this.isBatchRunning;
  }

  /** Whether finished attempts should wait for more, to be stored in one batch. */
  private get isBatching(): boolean {
    return (
      this.finished.length > 0 &&
      this.finished.length < TARGET_BATCH_SIZE &&
      this.attempting > TARGET_BATCH_SIZE &&
      performance.now() - this.finishedSince < MAX_BATCH_DELAY_MS
    );
  }

  /** Starts what can be started, or waits until something changes. */
  private async step(mayClaim: boolean): Promise<'again' | 'left' | 'nothing'> {
    const { routes, clock } = this.tools;
    if (this.failure) throw this.failure;
    if (this.mustRecover) {
      await (this.isBatchRunning ? this.nextChange() : this.recover());
      return 'again';
    }
    const mayStartBatch = !this.isBatchRunning && !this.isBatching;
    const isFull = this.deferred.length >= MAX_DEFERRED_OUTCOMES;
    const kinds = isFull || !mayStartBatch ? NO_KINDS : this.kindsToClaim(mayClaim);
    const hasKinds = kinds.transactional || kinds.promotional;
    const acquired = hasKinds ? this.acquireSlots(kinds) : undefined;
    if (acquired || (mayStartBatch && this.finished.length > 0)) {
      void this.runBatch(acquired);
      return 'again';
    }
    if (this.isBusy) {
      await this.changeOrPoll();
      return 'again';
    }
    const now = clock.now();
    const open = routes.filter((route) => isOpen(route, scopeKey(this.scope), now));
    if (this.isExhausted || isFull || (mayClaim && open.length === 0)) return 'nothing';
    if (!mayClaim) return 'left';
    await Promise.race([...open.map(({ slots }) => slots.whenReleased()), this.changeOrPoll()]);
    return 'again';
  }

  /** Lanes of the first open route, or of the next one while a single message probes that route. */
  private acquireSlots(kinds: ContentKinds): AcquiredRoute | undefined {
    const { routes, clock } = this.tools;
    const now = clock.now();
    for (const route of routes.filter((one) => isOpen(one, scopeKey(this.scope), now))) {
      const { slots } = route;
      const { isProbing } = slots;
      slots.join(this);
      const count = slots.acquire(this, kinds, now);
      if (count.all > 0) return { route, fallbacks: routes.filter((other) => other !== route), count };
      if (!isProbing) return undefined;
    }
    return undefined;
  }

  private get isExhausted(): boolean {
    return this.exhausted.transactional && this.exhausted.promotional;
  }

  /** The kinds worth claiming: both kinds if outcomes are stored anyway. */
  private kindsToClaim(mayClaim: boolean): ContentKinds {
    if (!mayClaim)
      return { transactional: this.isFinishing() && !this.exhausted.transactional, promotional: false };
    const isPoll = this.isExhausted && this.finished.length > 0;
    return {
      transactional: isPoll || !this.exhausted.transactional,
      promotional: isPoll || !this.exhausted.promotional,
    };
  }

  /** Whether the turn is over and waits for the answers of messages that were in flight before. */
  private isFinishing(): boolean {
    this.lastSends ??= new Set(this.slotsBySend.keys());
    return !this.tools.ending.aborted && [...this.lastSends].some((id) => this.slotsBySend.has(id));
  }

  /** Stores finished attempts and claims new messages. Never throws. */
  private async runBatch(acquired: AcquiredRoute | undefined): Promise<void> {
    const { exchange } = this.tools;
    const batch = this.finished;
    this.finished = [];
    this.isBatchRunning = true;
    try {
      const request = acquired?.count ?? CLAIM_NONE;
      const { claimed, exhausted } = await exchange.claimAndSettle(
        this.scope,
        batch,
        request,
        acquired?.route.name,
      );
      const isSoonDue = batch.some(isDueAtOnce(this.tools.clock.now()));
      for (const kind of CONTENT_TYPES)
        this.exhausted[kind] = exhausted[kind] ?? (this.exhausted[kind] && !isSoonDue);
      this.applyBatch(batch, acquired, claimed);
    } catch (error) {
      await this.afterFailure(batch, acquired, error);
    } finally {
      this.isBatchRunning = false;
      this.wake();
    }
  }

  private applyBatch(
    batch: readonly FinishedSend[],
    acquired: AcquiredRoute | undefined,
    claimed: readonly ClaimedSend[],
  ): void {
    this.databaseTries = 0;
    const free = new Map<TransportSlots, SlotCount>();
    const add = (slots: TransportSlots, count: SlotCount): void =>
      void free.set(slots, sumSlots(free.get(slots) ?? NO_SLOTS, count));
    for (const { send } of batch) {
      const slots = this.slotsBySend.get(send.id);
      this.inFlight.delete(send.id);
      this.slotsBySend.delete(send.id);
      if (slots) add(slots, { all: 1, promotional: promotionalOf([send]) });
    }
    if (acquired) {
      const { route, count } = acquired;
      this.startAttempts(claimed, acquired);
      add(route.slots, {
        all: count.all - claimed.length,
        promotional: count.promotional - promotionalOf(claimed),
      });
    }
    for (const [slots, count] of free) slots.release(this, count);
  }

  /** A single message may be the cause, so each is handled separately. What cannot be stored waits for a later turn. */
  private async afterFailure(
    batch: readonly FinishedSend[],
    acquired: AcquiredRoute | undefined,
    error: unknown,
  ): Promise<void> {
    let cause = error;
    if (failureOf(error).kind !== 'unreachable')
      try {
        const { claimed, unstored } = await this.tools.exchange.settleIndividually(this.scope, batch, {
          claimFor: acquired?.route.name,
          mayRetryClaim: this.mayRetry(this.tools.failures),
          mayRetryOutcome: ({ id }) => this.mayRetry(this.failures.get(id)),
        });
        this.applyBatch(batch, acquired, claimed);
        for (const finished of unstored) this.deferOutcome(finished);
        return;
      } catch (next) {
        cause = next;
      }
    this.finished.push(...batch);
    acquired?.route.slots.release(this, acquired.count);
    await this.waitForDatabase(cause);
  }

  private deferOutcome(finished: FinishedSend): void {
    const { send } = finished;
    const failures = addFailure(this.failures.get(send.id), this.tools.clock.now());
    this.inFlight.add(send.id);
    this.failures.set(send.id, failures);
    this.deferred.push({ finished, failures });
  }

  /** Whether failures that may pass are still waited out. Otherwise they have lasted too long. */
  private mayRetry(failures: Failures | undefined): boolean {
    return !failures || !isExhausted(failures, this.tools.clock.now());
  }

  private async recover(): Promise<void> {
    try {
      const { exchange, reviews, clock, failures } = this.tools;
      await exchange.recoverAbandoned(this.scope, [...this.inFlight], this.mayRetry(failures));
      this.isReviewLeft = await reviews.reviewNext(this.scope, clock.now());
      this.mustRecover = false;
    } catch (error) {
      await this.waitForDatabase(error);
    }
  }

  /** Waits a moment when the database cannot be reached. Any other error, or too long an outage, ends the turn. */
  private async waitForDatabase(error: unknown): Promise<void> {
    this.mustRecover = true;
    if (isUnreachable(error) && ++this.databaseTries < MAX_DATABASE_TRIES) await pause(DATABASE_RETRY_MS);
    else
      this.failure =
        error instanceof Error ? error : new Error('The ledger rejected the change.', { cause: error });
  }

  private startAttempts(claimed: readonly ClaimedSend[], routing: Routing): void {
    if (claimed.length === 0) return;
    for (const send of claimed) {
      this.discardResults(send.id);
      this.inFlight.add(send.id);
      this.slotsBySend.set(send.id, routing.route.slots);
    }
    this.attempting += claimed.length;
    const finish = (finished: FinishedSend): void => {
      this.attempting--;
      if (this.finished.length === 0) this.finishedSince = performance.now();
      this.finished.push(finished);
      this.wake();
    };
    void this.tools.attempts.run(this.scope, claimed, routing, finish);
  }

  /** Results of an earlier attempt no longer count: another process took the message over in the meantime. */
  private discardResults(id: string): void {
    this.failures.delete(id);
    this.finished = this.finished.filter(({ send }) => send.id !== id);
    this.deferred = this.deferred.filter(({ finished }) => finished.send.id !== id);
  }

  /**
   * Like `nextChange`, but only for a short time: a transactional message may have been queued in the meantime, or outcomes
   * may be due to be stored.
   */
  private async changeOrPoll(): Promise<void> {
    const pollTimer = setTimeout(() => {
      this.exhausted.transactional = false;
      this.wake();
    }, POLL_INTERVAL_MS);
    const storeTimer =
      this.finished.length > 0 ? setTimeout(() => this.wake(), MAX_BATCH_DELAY_MS) : undefined;
    await this.nextChange();
    clearTimeout(pollTimer);
    clearTimeout(storeTimer);
  }

  /**
   * Resolves when an attempt or a batch has ended, or a timer or signal wakes the turn. Only one caller waits at a
   * time.
   */
  private nextChange(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}

/** Whether a message is to be retried immediately, by another route. */
const isDueAtOnce =
  (now: Date) =>
  ({ outcome }: FinishedSend): boolean =>
    outcome.kind === 'again' && outcome.at <= now;

function promotionalOf(sends: readonly ClaimedSend[]): number {
  return sends.filter(({ contentType }) => contentType === 'promotional').length;
}
