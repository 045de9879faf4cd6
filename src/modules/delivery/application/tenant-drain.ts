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
import { failureOf } from '../../set-aside/application/failure.js';
import { isExhausted, oneMore, type Failures } from '../../set-aside/domain/patience.js';
import type { ClaimedSend, FinishedSend } from '../domain/claimed-send.js';
import type { UnstoredFate } from '../domain/unstored-fate.js';
import type { SendAttempts } from './send-attempts.js';
import { NONE_WANTED, type SendExchange } from './send-exchange.js';
import { isOpen, type MailRoute, type Way } from './mail-routes.js';
import {
  NO_LANES,
  sum,
  type LaneCount,
  type SendLanes,
  type TakenLanes,
  type WantedKinds,
} from './send-lanes.js';
import type { SendReviews } from './send-reviews.js';

/**
 * A batch costs as much for one message as for a dozen. While more than COMPANY attempts are in flight, outcomes wait
 * for others, for at most LONGEST_HOLD milliseconds of real time.
 */
const COMPANY = 12;
const LONGEST_HOLD = 30;

/** Milliseconds of real time between attempts to reach a database that is down, and the number of attempts. */
const DATABASE_PAUSE = 250;
const DATABASE_TRIES = 40;

/**
 * Milliseconds of real time after which the ledger is polled for transactional messages, if nothing else triggers it.
 */
const LOOK_AGAIN = 250;

/** When the ledger refuses the outcomes of this number of messages, no more are claimed. */
const MOST_RESTING = 32;

const NO_KINDS: WantedKinds = { transactional: false, promotional: false };

export interface DrainTools {
  readonly exchange: SendExchange;
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
interface TakenWay extends Way {
  readonly count: TakenLanes;
}

export class TenantDrain {
  /** Ids of claimed messages whose outcome is not stored yet. */
  private readonly inHand = new Set<string>();
  /** Those whose attempt has ended and whose outcome is not being stored yet. */
  private finished: FinishedSend[] = [];
  /** Those whose outcome the ledger refuses even alone. They wait for the next turn. */
  private resting: UnstoredFate[] = [];
  /** How often storing a message's outcome alone has failed, by id. */
  private readonly failures = new Map<string, Failures>();
  /** Claimed messages that hold a lane. Outcomes from an earlier turn hold none. */
  private readonly onLanes = new Map<string, SendLanes>();
  /** Those that held a lane when the turn ended. */
  private tail: ReadonlySet<string> | undefined;
  /** Attempts that have not ended. */
  private attempting = 0;
  private isExchanging = false;
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
    unstored: readonly UnstoredFate[],
  ) {
    const now = tools.clock.now();
    for (const fate of unstored) {
      const { finished, failures } = fate;
      this.inHand.add(finished.send.id);
      if (failures) this.failures.set(finished.send.id, failures);
      if (failures && now < failures.until) this.resting.push(fate);
      else this.finished.push(finished);
    }
  }

  /** Outcomes that are not in the ledger yet. */
  get unstored(): readonly UnstoredFate[] {
    const untried = this.finished.map((finished) => ({
      finished,
      failures: this.failures.get(finished.send.id),
    }));
    return [...this.resting, ...untried];
  }

  /**
   * Works until nothing is due or `mayGoOn` returns false, then only finishes the claimed messages.
   * @param impatience aborts when claimed messages should not be waited for any longer.
   * @returns whether due rows may be left.
   * @throws what prevents outcomes from being stored; `unstored` has them.
   */
  async run(mayGoOn: () => boolean, impatience: AbortSignal): Promise<boolean> {
    const leave = (): void => this.wake();
    impatience.addEventListener('abort', leave);
    try {
      for (;;) {
        const next = await this.step(mayGoOn());
        if (next !== 'again') return next === 'left' || this.isReviewLeft;
        if (impatience.aborted) return true;
      }
    } catch (error) {
      // Lanes are released only when none of their messages is being transmitted any more.
      while (this.isAtWork && !impatience.aborted) await this.change();
      throw error;
    } finally {
      impatience.removeEventListener('abort', leave);
      for (const { lanes } of this.tools.routes) lanes.leave(this);
    }
  }

  /** Whether attempts are in progress or outcomes are being stored. */
  private get isAtWork(): boolean {
    return this.attempting > 0 || this.isExchanging;
  }

  /** Whether finished attempts should wait for more, to be stored in one batch. */
  private get isWaitingForCompany(): boolean {
    return (
      this.finished.length > 0 &&
      this.finished.length < COMPANY &&
      this.attempting > COMPANY &&
      performance.now() - this.finishedSince < LONGEST_HOLD
    );
  }

  /** Starts what can be started, or waits until something changes. */
  private async step(goesOn: boolean): Promise<'again' | 'left' | 'nothing'> {
    const { routes, clock } = this.tools;
    if (this.failure) throw this.failure;
    if (this.mustRecover) {
      await (this.isExchanging ? this.change() : this.recover());
      return 'again';
    }
    const mayExchange = !this.isExchanging && !this.isWaitingForCompany;
    const isFull = this.resting.length >= MOST_RESTING;
    const kinds = isFull || !mayExchange ? NO_KINDS : this.kindsToClaim(goesOn);
    const isWanted = kinds.transactional || kinds.promotional;
    const taken = isWanted ? this.takeLanes(kinds) : undefined;
    if (taken || (mayExchange && this.finished.length > 0)) {
      void this.exchange(taken);
      return 'again';
    }
    if (this.isAtWork) {
      await this.changeOrLook();
      return 'again';
    }
    const now = clock.now();
    const open = routes.filter((route) => isOpen(route, scopeKey(this.scope), now));
    if (this.isExhausted || isFull || (goesOn && open.length === 0)) return 'nothing';
    if (!goesOn) return 'left';
    await Promise.race([...open.map(({ lanes }) => lanes.freed()), this.changeOrLook()]);
    return 'again';
  }

  /** Lanes of the first open route, or of the next one while a single message probes that route. */
  private takeLanes(kinds: WantedKinds): TakenWay | undefined {
    const { routes, clock } = this.tools;
    const now = clock.now();
    for (const route of routes.filter((one) => isOpen(one, scopeKey(this.scope), now))) {
      const { lanes } = route;
      const { isOnTrial } = lanes;
      lanes.join(this);
      const count = lanes.take(this, kinds, now);
      if (count.all > 0) return { route, others: routes.filter((other) => other !== route), count };
      if (!isOnTrial) return undefined;
    }
    return undefined;
  }

  private get isExhausted(): boolean {
    return this.exhausted.transactional && this.exhausted.promotional;
  }

  /** The kinds worth claiming: both kinds if outcomes are stored anyway. */
  private kindsToClaim(goesOn: boolean): WantedKinds {
    if (!goesOn)
      return { transactional: this.isTailing() && !this.exhausted.transactional, promotional: false };
    const isLook = this.isExhausted && this.finished.length > 0;
    return {
      transactional: isLook || !this.exhausted.transactional,
      promotional: isLook || !this.exhausted.promotional,
    };
  }

  /** Whether the turn is over and waits for the answers of messages that were in flight before. */
  private isTailing(): boolean {
    this.tail ??= new Set(this.onLanes.keys());
    return !this.tools.ending.aborted && [...this.tail].some((id) => this.onLanes.has(id));
  }

  /** Stores finished attempts and claims new messages. Never throws. */
  private async exchange(taken: TakenWay | undefined): Promise<void> {
    const { exchange } = this.tools;
    const batch = this.finished;
    this.finished = [];
    this.isExchanging = true;
    try {
      const wanted = taken?.count ?? NONE_WANTED;
      const { claimed, isAll } = await exchange.exchange(this.scope, batch, wanted, taken?.route.name);
      const isSoonDue = batch.some(isDueAtOnce(this.tools.clock.now()));
      for (const kind of CONTENT_TYPES)
        this.exhausted[kind] = isAll[kind] ?? (this.exhausted[kind] && !isSoonDue);
      this.exchanged(batch, taken, claimed);
    } catch (error) {
      await this.afterFailure(batch, taken, error);
    } finally {
      this.isExchanging = false;
      this.wake();
    }
  }

  private exchanged(
    batch: readonly FinishedSend[],
    taken: TakenWay | undefined,
    claimed: readonly ClaimedSend[],
  ): void {
    this.databaseTries = 0;
    const free = new Map<SendLanes, LaneCount>();
    const add = (lanes: SendLanes, count: LaneCount): void =>
      void free.set(lanes, sum(free.get(lanes) ?? NO_LANES, count));
    for (const { send } of batch) {
      const lanes = this.onLanes.get(send.id);
      this.inHand.delete(send.id);
      this.onLanes.delete(send.id);
      if (lanes) add(lanes, { all: 1, promotional: promotionalOf([send]) });
    }
    if (taken) {
      const { route, count } = taken;
      this.begin(claimed, taken);
      add(route.lanes, {
        all: count.all - claimed.length,
        promotional: count.promotional - promotionalOf(claimed),
      });
    }
    for (const [lanes, count] of free) lanes.give(this, count);
  }

  /** A single message may be the cause, so each is handled separately. What cannot be stored waits for a later turn. */
  private async afterFailure(
    batch: readonly FinishedSend[],
    taken: TakenWay | undefined,
    error: unknown,
  ): Promise<void> {
    let cause = error;
    if (failureOf(error).kind !== 'unreachable')
      try {
        const { claimed, refused } = await this.tools.exchange.rescue(this.scope, batch, {
          claims: taken?.route.name,
          isPatient: this.isPatient(this.tools.failures),
          isPatientWith: ({ id }) => this.isPatient(this.failures.get(id)),
        });
        this.exchanged(batch, taken, claimed);
        for (const finished of refused) this.rest(finished);
        return;
      } catch (next) {
        cause = next;
      }
    this.finished.push(...batch);
    taken?.route.lanes.give(this, taken.count);
    await this.endure(cause);
  }

  private rest(finished: FinishedSend): void {
    const { send } = finished;
    const failures = oneMore(this.failures.get(send.id), this.tools.clock.now());
    this.inHand.add(send.id);
    this.failures.set(send.id, failures);
    this.resting.push({ finished, failures });
  }

  /** Whether failures that may pass are still waited out. Otherwise they have lasted too long. */
  private isPatient(failures: Failures | undefined): boolean {
    return !failures || !isExhausted(failures, this.tools.clock.now());
  }

  private async recover(): Promise<void> {
    try {
      const { exchange, reviews, clock, failures } = this.tools;
      await exchange.recover(this.scope, [...this.inHand], this.isPatient(failures));
      this.isReviewLeft = await reviews.goOn(this.scope, clock.now());
      this.mustRecover = false;
    } catch (error) {
      await this.endure(error);
    }
  }

  /** Waits a moment when the database cannot be reached. Any other error, or too long an outage, ends the turn. */
  private async endure(error: unknown): Promise<void> {
    this.mustRecover = true;
    if (isUnreachable(error) && ++this.databaseTries < DATABASE_TRIES) await pause(DATABASE_PAUSE);
    else
      this.failure =
        error instanceof Error ? error : new Error('The ledger rejected the change.', { cause: error });
  }

  private begin(claimed: readonly ClaimedSend[], way: Way): void {
    if (claimed.length === 0) return;
    for (const send of claimed) {
      this.forget(send.id);
      this.inHand.add(send.id);
      this.onLanes.set(send.id, way.route.lanes);
    }
    this.attempting += claimed.length;
    const finish = (finished: FinishedSend): void => {
      this.attempting--;
      if (this.finished.length === 0) this.finishedSince = performance.now();
      this.finished.push(finished);
      this.wake();
    };
    void this.tools.attempts.run(this.scope, claimed, way, finish);
  }

  /** Results of an earlier attempt no longer count: another process took the message over in the meantime. */
  private forget(id: string): void {
    this.failures.delete(id);
    this.finished = this.finished.filter(({ send }) => send.id !== id);
    this.resting = this.resting.filter(({ finished }) => finished.send.id !== id);
  }

  /**
   * Like `change`, but only for a short time: a transactional message may have been queued in the meantime, or outcomes
   * may be due to be stored.
   */
  private async changeOrLook(): Promise<void> {
    const look = setTimeout(() => {
      this.exhausted.transactional = false;
      this.wake();
    }, LOOK_AGAIN);
    const store = this.finished.length > 0 ? setTimeout(() => this.wake(), LONGEST_HOLD) : undefined;
    await this.change();
    clearTimeout(look);
    clearTimeout(store);
  }

  /**
   * Resolves when an attempt or a batch has ended, or a timer or signal wakes the turn. Only one caller waits at a
   * time.
   */
  private change(): Promise<void> {
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
