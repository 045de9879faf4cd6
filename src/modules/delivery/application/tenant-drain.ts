/**
 * One turn of sending for a tenant. Exchanges with the ledger and attempts go on side by side: an exchange takes
 * along all attempts that have finished since the last one, and brings as many messages as lanes are free, so that
 * the slower the database is, the more each exchange carries.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { isUnreachable } from '../../../platform/database/database.js';
import { failureOf } from '../../set-aside/application/failure.js';
import type { ClaimedSend, FinishedSend } from '../domain/claimed-send.js';
import type { SendAttempts } from './send-attempts.js';
import type { SendExchange } from './send-exchange.js';
import type { SendLanes } from './send-lanes.js';

/** While one exchange waits for its commit another one may go on, if it has enough to carry. */
const PARALLEL_EXCHANGES = 2;
const WORTHWHILE = 4;

/** Milliseconds of real time between tries to reach a database that is down, and how many tries. */
const DATABASE_PAUSE = 250;
const DATABASE_TRIES = 40;

export interface DrainTools {
  readonly exchange: SendExchange;
  readonly attempts: SendAttempts;
  readonly clock: Clock;
  readonly lanes: SendLanes;
}

export class TenantDrain {
  /** Messages taken whose fate is not stored yet, by id. */
  private readonly inHand = new Map<string, ClaimedSend>();
  /** Of these, the ones whose attempt has ended and whose fate is not on its way to the ledger. */
  private finished: FinishedSend[] = [];
  private exchanges = 0;
  /** The last claim found fewer messages than it had lanes for. */
  private isExhausted = false;
  /** A claim may have been lost; before the next one, what it took must be taken back. */
  private mustRecover = true;
  private databaseTries = 0;
  private failure: Error | undefined;
  private wake: () => void = () => undefined;

  /** @param unstored outcomes that an earlier turn could not store. */
  constructor(
    private readonly scope: TenantScope,
    private readonly tools: DrainTools,
    unstored: readonly FinishedSend[],
  ) {
    for (const { send } of unstored) this.inHand.set(send.id, send);
    this.finished.push(...unstored);
  }

  /** Outcomes that are not in the ledger yet. */
  get unstored(): readonly FinishedSend[] {
    return this.finished;
  }

  /**
   * Works until nothing is due or `mayGoOn` says no; then only finishes what is in hand.
   * @param impatience aborts when messages in hand are to be waited for no longer.
   * @returns whether rows may be left that are due.
   * @throws whatever keeps outcomes from being stored; `unstored` has them.
   */
  async run(mayGoOn: () => boolean, impatience: AbortSignal): Promise<boolean> {
    const leave = (): void => this.wake();
    impatience.addEventListener('abort', leave);
    this.tools.lanes.join(this);
    try {
      for (;;) {
        const next = await this.step(mayGoOn());
        if (next !== 'again') return next === 'left';
        if (impatience.aborted) return true;
      }
    } catch (error) {
      // The lanes go to others only when nothing of theirs is on the wire any more.
      while (this.finished.length < this.inHand.size && !impatience.aborted) await this.change();
      throw error;
    } finally {
      impatience.removeEventListener('abort', leave);
      this.tools.lanes.leave(this);
    }
  }

  /** Begins what can be begun, or else waits until something changes. */
  private async step(goesOn: boolean): Promise<'again' | 'left' | 'nothing'> {
    const { lanes, clock } = this.tools;
    if (this.failure) throw this.failure;
    if (this.mustRecover) {
      await (this.exchanges > 0 ? this.change() : this.recover());
      return 'again';
    }
    const mayExchange =
      this.exchanges === 0 || (this.exchanges < PARALLEL_EXCHANGES && this.finished.length >= WORTHWHILE);
    const mayClaim = goesOn && mayExchange && (!this.isExhausted || this.finished.length > 0);
    const wanted = mayClaim ? lanes.take(this, clock.now()) : 0;
    if (wanted > 0 || (mayExchange && this.finished.length > 0)) {
      void this.exchange(wanted);
      return 'again';
    }
    if (this.inHand.size > 0 || this.exchanges > 0) {
      await this.change();
      return 'again';
    }
    if (this.isExhausted || (goesOn && lanes.isHeldBack(clock.now()))) return 'nothing';
    if (!goesOn) return 'left';
    await lanes.freed();
    return 'again';
  }

  /** Stores what has finished and takes new messages in hand. Never throws. */
  private async exchange(wanted: number): Promise<void> {
    const { exchange } = this.tools;
    const batch = this.finished;
    this.finished = [];
    this.exchanges++;
    try {
      const claimed = await exchange.exchange(this.scope, batch, wanted);
      if (wanted > 0) this.isExhausted = claimed.length < wanted;
      this.exchanged(batch, wanted, claimed);
    } catch (error) {
      await this.afterFailure(batch, wanted, error);
    } finally {
      this.exchanges--;
      this.wake();
    }
  }

  private exchanged(batch: readonly FinishedSend[], wanted: number, claimed: readonly ClaimedSend[]): void {
    this.databaseTries = 0;
    for (const { send } of batch) this.inHand.delete(send.id);
    this.tools.lanes.give(this, batch.length + wanted - claimed.length);
    this.begin(claimed);
  }

  /** What no repetition mends is dealt with one by one; anything else leaves everything as it was. */
  private async afterFailure(batch: readonly FinishedSend[], wanted: number, error: unknown): Promise<void> {
    let cause = error;
    if (failureOf(error).kind === 'lasting')
      try {
        this.exchanged(batch, wanted, await this.tools.exchange.rescue(this.scope, batch, wanted > 0));
        return;
      } catch (next) {
        cause = next;
      }
    this.finished.push(...batch);
    this.tools.lanes.give(this, wanted);
    await this.endure(cause);
  }

  private async recover(): Promise<void> {
    try {
      await this.tools.exchange.recover(this.scope, [...this.inHand.keys()]);
      this.mustRecover = false;
    } catch (error) {
      await this.endure(error);
    }
  }

  /** Waits a moment when the database is away; anything else, or an absence too long, ends the turn. */
  private async endure(error: unknown): Promise<void> {
    this.mustRecover = true;
    if (isUnreachable(error) && ++this.databaseTries < DATABASE_TRIES) await pause(DATABASE_PAUSE);
    else this.failure = error instanceof Error ? error : new Error('The ledger refused.', { cause: error });
  }

  private begin(claimed: readonly ClaimedSend[]): void {
    if (claimed.length === 0) return;
    for (const send of claimed) this.inHand.set(send.id, send);
    const finish = (finished: FinishedSend): void => {
      this.finished.push(finished);
      this.wake();
    };
    void this.tools.attempts.run(this.scope, claimed, this.tools.lanes, finish);
  }

  /** Resolves when an attempt or an exchange has ended, or patience has. */
  private change(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}
