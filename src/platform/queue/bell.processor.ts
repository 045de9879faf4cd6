/**
 * What every processor of a tenant's bell does: check the payload, restore the scope, take a turn, and ring again
 * when the turn ended before the work did.
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
 * How workers treat jobs: a job whose worker died comes back within seconds and as often as that happens, since
 * bells are harmless to repeat.
 */
export const WORKER_OPTIONS = {
  concurrency: 4,
  lockDuration: 4_000,
  stalledInterval: 1_000,
  maxStalledCount: 1_000_000,
  runRetryDelay: 250,
} as const satisfies Partial<WorkerOptions>;

/** What a bell's processor needs of the platform. */
@Injectable()
export class BellTools {
  constructor(
    readonly registry: JobRegistry,
    readonly dispatcher: Dispatcher,
    readonly session: WorkSession,
    @Inject(LOGGER) readonly logger: Logger,
  ) {}
}

export abstract class BellProcessor extends WorkerHost implements BeforeApplicationShutdown {
  protected constructor(
    private readonly contract: JobContract<TenantScope>,
    private readonly tools: BellTools,
  ) {
    super();
    tools.registry.register(contract.name, new.target.name);
  }

  /**
   * Works on the tenant's due rows batch by batch while `mayGoOn` says so.
   * @returns whether rows may be left that are due.
   */
  protected abstract work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean>;

  override async process(job: Job<unknown>): Promise<void> {
    const scope = this.contract.parse(job.data);
    const unfinished = await this.work(scope, this.tools.session.turn());
    if (unfinished && !this.tools.session.signal.aborted) this.tools.dispatcher.ring(this.contract, scope);
  }

  /** Hands work back before the database connections close: the batch at hand is finished, no job is begun. */
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
