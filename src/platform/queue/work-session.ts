/**
 * Tells work that goes batch by batch when to stop: at shutdown, so that the process ends at a batch's boundary,
 * and after a turn's time, so that one tenant's backlog does not keep the others waiting.
 */
import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** How long one job may go on with one tenant before it lets others have a turn, in milliseconds of real time. */
const TURN = 5_000;

@Injectable()
export class WorkSession implements OnModuleDestroy {
  private readonly ending = new AbortController();

  /** Aborts when the process is to end. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /** Starts a turn; the function answers whether the turn may take another batch. */
  turn(): () => boolean {
    const until = performance.now() + TURN;
    return () => !this.ending.signal.aborted && performance.now() < until;
  }

  onModuleDestroy(): void {
    this.ending.abort();
  }
}
