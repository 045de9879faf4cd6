/**
 * Enqueues wake-ups. The first one is sent immediately. Further ones for the same work that arrive while it is being
 * sent, or shortly after, are merged into one, so that a burst of thousands of requests costs a few jobs. A failure is
 * only logged: the row is already stored, and the sweeper sends another wake-up.
 */
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import type { JobContract } from './job-contract.js';

/** Minimum milliseconds between two equal wake-ups of one process. */
const MIN_WAKEUP_INTERVAL_MS = 100;

@Injectable()
export class Dispatcher {
  private readonly pending = new Map<string, { mustRepeat: boolean }>();

  constructor(
    private readonly modules: ModuleRef,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Wakes a worker for the payload's rows. Returns immediately. Call it after the rows are committed.
   * @param force sends the wake-up even if the queue reports an earlier one as still active.
   */
  wake<Payload extends object>(contract: JobContract<Payload>, payload: Payload, force = false): void {
    const id = `${contract.deduplicationId(payload)}${force ? ':again' : ''}`;
    const earlier = this.pending.get(id);
    if (earlier) {
      earlier.mustRepeat = true;
      return;
    }
    const state = { mustRepeat: false };
    this.pending.set(id, state);
    void this.add(contract, payload, id).finally(() => {
      setTimeout(() => {
        this.pending.delete(id);
        if (state.mustRepeat) this.wake(contract, payload, force);
      }, MIN_WAKEUP_INTERVAL_MS).unref();
    });
  }

  private async add<Payload extends object>(
    contract: JobContract<Payload>,
    payload: Payload,
    id: string,
  ): Promise<void> {
    try {
      const queue = this.modules.get<Queue>(getQueueToken(contract.queue), { strict: false });
      await queue.add(contract.name, payload, {
        attempts: contract.attempts,
        backoff: { type: 'fixed', delay: 500 },
        deduplication: { id, keepLastIfActive: true },
        removeOnComplete: true,
        removeOnFail: { age: 86_400, count: 1_000 },
      });
    } catch (error) {
      this.logger.warn(
        { err: error, job: contract.name },
        'A wake-up could not be queued; the sweeper will retry it',
      );
    }
  }
}
