/**
 * Rings bells. Rings of the same bell that come while one is on its way are joined to one, so that a burst of
 * thousands of requests costs a handful of jobs. A ring that fails is only logged: the row is stored already, and
 * the sweeper rings again.
 */
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import type { JobContract } from './job-contract.js';

@Injectable()
export class Dispatcher {
  private readonly ringing = new Map<string, { again: boolean }>();

  constructor(
    private readonly modules: ModuleRef,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Wakes a worker for the payload's rows, soon; returns at once. Call it after the rows are committed. */
  ring<Payload extends object>(contract: JobContract<Payload>, payload: Payload): void {
    const id = contract.deduplicationId(payload);
    const under = this.ringing.get(id);
    if (under) {
      under.again = true;
      return;
    }
    const state = { again: false };
    this.ringing.set(id, state);
    void this.add(contract, payload, id).finally(() => {
      this.ringing.delete(id);
      if (state.again) this.ring(contract, payload);
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
        backoff: { type: 'exponential', delay: 500 },
        deduplication: { id, keepLastIfActive: true },
        removeOnComplete: true,
        removeOnFail: { age: 86_400, count: 1_000 },
      });
    } catch (error) {
      this.logger.warn(
        { err: error, job: contract.name },
        'A bell could not be rung; the sweeper will ring it',
      );
    }
  }
}
