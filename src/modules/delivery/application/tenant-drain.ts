/**
 * One turn of sending for a tenant: an exchange with the ledger, the attempts it brought running side by side, the
 * next exchange with all that have finished meanwhile, and so on until nothing is due or the turn is over.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { isUnreachable } from '../../../platform/database/database.js';
import type { ClaimedSend, FinishedSend } from '../domain/claimed-send.js';
import type { SendAttempts } from './send-attempts.js';
import type { SendExchange } from './send-exchange.js';
import type { SendLanes } from './send-lanes.js';

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
  private finished: FinishedSend[] = [];
  private wake: () => void = () => undefined;

  /** @param unstored outcomes that an earlier turn could not store. */
  constructor(
    private readonly scope: TenantScope,
    private readonly tools: DrainTools,
    unstored: readonly FinishedSend[],
  ) {
    for (const finished of unstored) this.take([finished.send], finished);
  }

  /**
   * Works until nothing is due or `mayGoOn` says no; then only finishes what is in hand.
   * @param impatience aborts when messages in hand are to be waited for no longer.
   * @returns whether rows may be left that are due.
   * @throws whatever keeps outcomes from being stored; `unstored` has them.
   */
  async run(mayGoOn: () => boolean, impatience: AbortSignal): Promise<boolean> {
    const { lanes, clock } = this.tools;
    lanes.join(this);
    let isExhausted = false;
    const leave = (): void => this.wake();
    impatience.addEventListener('abort', leave);
    try {
      await this.recover();
      for (;;) {
        const goesOn = mayGoOn();
        const wanted = goesOn ? lanes.take(this, clock.now()) : 0;
        const isIdle = this.finished.length === 0;
        if (isIdle && (wanted === 0 || (isExhausted && this.inHand.size > 0))) {
          lanes.give(this, wanted);
          if (impatience.aborted) return true;
          if (this.inHand.size > 0) await this.nextFinish();
          else if (!goesOn) return !isExhausted;
          else if (lanes.isHeldBack(clock.now())) return false;
          else await lanes.freed();
          continue;
        }
        const claimed = await this.exchange(wanted);
        this.begin(claimed);
        if (wanted > 0) isExhausted = claimed.length < wanted;
        if (isExhausted && this.inHand.size === 0) return false;
      }
    } catch (error) {
      // The lanes go to others only when nothing of theirs is on the wire any more.
      while (this.finished.length < this.inHand.size && !impatience.aborted) await this.nextFinish();
      throw error;
    } finally {
      impatience.removeEventListener('abort', leave);
      lanes.leave(this);
    }
  }

  /** Outcomes that are not in the ledger yet. */
  get unstored(): readonly FinishedSend[] {
    return this.finished;
  }

  private begin(claimed: readonly ClaimedSend[]): void {
    if (claimed.length === 0) return;
    this.take(claimed);
    const finish = (finished: FinishedSend): void => {
      this.finished.push(finished);
      this.wake();
    };
    void this.tools.attempts.run(this.scope, claimed, this.tools.lanes, finish);
  }

  private take(sends: readonly ClaimedSend[], finished?: FinishedSend): void {
    for (const send of sends) this.inHand.set(send.id, send);
    if (finished) this.finished.push(finished);
  }

  private async recover(): Promise<void> {
    await this.tools.exchange.recover(this.scope, [...this.inHand.keys()]);
  }

  /** Exchanges until the database takes it; a claim that was lost on the way is recovered first. */
  private async exchange(wanted: number): Promise<ClaimedSend[]> {
    const { exchange, lanes } = this.tools;
    for (let tries = 1; ; tries++) {
      const batch = this.finished;
      this.finished = [];
      try {
        if (tries > 1) await exchange.recover(this.scope, [...this.inHand.keys()]);
        const claimed = await exchange.exchange(this.scope, batch, wanted);
        for (const { send } of batch) this.inHand.delete(send.id);
        lanes.give(this, batch.length + wanted - claimed.length);
        return claimed;
      } catch (error) {
        this.finished = [...batch, ...this.finished];
        if (!isUnreachable(error) || tries === DATABASE_TRIES) throw error;
        await pause(DATABASE_PAUSE);
      }
    }
  }

  private nextFinish(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}
