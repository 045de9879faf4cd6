/**
 * Rings bells. The first ring goes out at once; those of the same bell that come while it is on its way, or shortly
 * after, are joined to one, so that a burst of thousands of requests costs a handful of jobs. A ring that fails is only
 * logged: the row is stored already, and the sweeper rings again.
 */
import { Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LOGGER } from '../logging/logger.js';
import type { JobContract } from './job-contract.js';

/** Milliseconds between two rings of the same bell by one process. */
const SPACING = 100;

@Injectable()
export class Dispatcher {
  private readonly ringing = new Map<string, { again: boolean }>();

  constructor(
    private readonly modules: ModuleRef,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Wakes a worker for the payload's rows, soon; returns at once. Call it after the rows are committed.
   * @param insist rings even when an earlier bell is still being worked on, as far as the queue knows.
   */
  ring<Payload extends object>(contract: JobContract<Payload>, payload: Payload, insist = false): void {
    const id = `${contract.deduplicationId(payload)}${insist ? ':again' : ''}`;
    const under = this.ringing.get(id);
    if (under) {
      under.again = true;
      return;
    }
    const state = { again: false };
    this.ringing.set(id, state);
    void this.add(contract, payload, id).finally(() => {
      setTimeout(() => {
        this.ringing.delete(id);
        if (state.again) this.ring(contract, payload, insist);
      }, SPACING).unref();
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
