/**
 * Base class of the processors of tenant wake-ups: validates the payload, restores the scope, works for one time slice,
 * and sends another wake-up if work remains.
 */
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import type { Job, WorkerOptions } from 'bullmq';
import type { Logger } from 'pino';
import type { TenantScope } from '../../kernel/tenant-scope.js';
import { LOGGER } from '../logging/logger.js';
import { Dispatcher } from './dispatcher.js';
import type { JobContract } from './job-contract.js';
import { JobRegistry } from './job-registry.js';
import { WorkSession } from './work-session.js';

/**
 * Worker options. A job whose worker died is retried within seconds, any number of times, because wake-ups are
 * idempotent.
 */
export const WORKER_OPTIONS = {
  concurrency: 4,
  lockDuration: 4_000,
  stalledInterval: 1_000,
  maxStalledCount: 1_000_000,
  runRetryDelay: 250,
} as const satisfies Partial<WorkerOptions>;

/** The platform services that a wake-up processor needs. */
@Injectable()
export class WakeUpTools {
  constructor(
    readonly registry: JobRegistry,
    readonly dispatcher: Dispatcher,
    readonly session: WorkSession,
    @Inject(LOGGER) readonly logger: Logger,
  ) {}
}

export abstract class WakeUpProcessor extends WorkerHost implements BeforeApplicationShutdown {
  protected constructor(
    private readonly contract: JobContract<TenantScope>,
    private readonly tools: WakeUpTools,
  ) {
    super();
    tools.registry.register(contract.name, new.target.name);
  }

  /**
   * Processes the tenant's due rows in batches while `mayContinue` returns true.
   * @returns whether due rows may be left.
   */
  protected abstract work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean>;

  override async process(job: Job<unknown>): Promise<void> {
    const scope = this.contract.parse(job.data);
    const hasMore = await this.work(scope, this.tools.session.timeSlice());
    if (hasMore && !this.tools.session.signal.aborted) this.tools.dispatcher.wake(this.contract, scope);
  }

  /** Stops before the database connections close: finishes the current batch and starts no new job. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close();
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job<unknown> | undefined, error: Error): void {
    this.tools.logger.error({ err: error, job: this.contract.name, data: job?.data }, 'A job failed');
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.tools.logger.warn({ err: error, queue: this.contract.queue }, 'The queue reported an error');
  }
}
