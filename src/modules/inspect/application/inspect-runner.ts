/**
 * Makes one run that this process has claimed: runs its checks within a deadline and outside of any transaction, then
 * stores the result in one. A check that fails is part of the result. An unexpected failure is retried; after the last
 * attempt the run has failed and its credit is refunded. If a process dies, another one starts its run again.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { Database, isUnreachable } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { WorkSession } from '../../../platform/queue/work-session.js';
import type { ClaimedJob } from '../domain/runs/inspect-job.js';
import {
  RUN_TIMEOUT_MS,
  MAX_ATTEMPTS,
  RETRY_DELAY_MS,
  RUN_ERRORS,
  type RunError,
} from '../domain/runs/run-bounds.js';
import { InspectWorkRepository } from '../persistence/inspect-work.repository.js';
import { InspectChecks } from './inspect-checks.js';
import { InspectCredits } from './inspect-credits.js';
import { InspectResults } from './inspect-results.js';

/** Why a run is aborted: another process took it over, or the template that it inspects is deleted. */
class ClaimLostError extends Error {
  constructor() {
    super('The run is no longer claimed by this process.');
  }
}

@Injectable()
export class InspectRunner {
  private readonly claimed = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly work: InspectWorkRepository,
    private readonly checks: InspectChecks,
    private readonly results: InspectResults,
    private readonly credits: InspectCredits,
    private readonly session: WorkSession,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The ids of runs that this process has claimed. */
  get claimedIds(): readonly string[] {
    return [...this.claimed];
  }

  /**
   * Makes a run, and holds its claim meanwhile.
   * @param signal aborts it, which counts as an attempt.
   * @throws the error that says that the database cannot be reached.
   */
  async execute(scope: WorkspaceScope, job: ClaimedJob, signal?: AbortSignal): Promise<void> {
    this.claimed.add(job.id);
    try {
      await this.attempt(scope, job, signal);
    } finally {
      this.claimed.delete(job.id);
    }
  }

  private async attempt(scope: WorkspaceScope, job: ClaimedJob, signal?: AbortSignal): Promise<void> {
    if (job.attempts > MAX_ATTEMPTS) {
      await this.fail(scope, job, 'worker_died');
      return;
    }
    const timeout = AbortSignal.timeout(RUN_TIMEOUT_MS[job.mode]);
    try {
      await this.runChecks(
        scope,
        job,
        AbortSignal.any([timeout, this.session.signal, ...(signal ? [signal] : [])]),
      );
    } catch (error) {
      if (error instanceof ClaimLostError) return;
      if (isUnreachable(error)) throw error;
      await this.afterFailure(scope, job, error, timeout.aborted);
    }
  }

  private async runChecks(scope: WorkspaceScope, job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const claimLost = new AbortController();
    const progress = async (percent: number): Promise<void> => {
      const isClaimed = await this.database.inScope(scope, (tx) =>
        this.work.progress(tx, scope, job, percent, this.clock.now()),
      );
      if (!isClaimed) claimLost.abort(new ClaimLostError());
    };
    const anySignal = AbortSignal.any([signal, claimLost.signal]);
    const results = await untilAborted(anySignal, this.checks.run(scope, job, anySignal, progress));
    if (!(await this.results.store(scope, job, results))) throw new ClaimLostError();
  }

  private async afterFailure(
    scope: WorkspaceScope,
    job: ClaimedJob,
    error: unknown,
    hasTimedOut: boolean,
  ): Promise<void> {
    const { id: jobId, mode, attempts } = job;
    if (this.session.signal.aborted) {
      await this.database.inScope(scope, (tx) => this.work.release(tx, scope, job, this.clock.now()));
      return;
    }
    this.logger.warn({ err: error, jobId, mode, attempts, ...scope }, 'A run of quality analysis failed');
    if (error instanceof DomainError && error.code === 'work_too_costly')
      await this.fail(scope, job, 'too_costly');
    else if (attempts >= MAX_ATTEMPTS)
      await this.fail(scope, job, hasTimedOut ? 'took_too_long' : 'kept_failing');
    else {
      const until = new Date(this.clock.now().getTime() + RETRY_DELAY_MS);
      await this.database.inScope(scope, (tx) => this.work.defer(tx, scope, job, until));
    }
  }

  private async fail(scope: WorkspaceScope, job: ClaimedJob, error: RunError): Promise<void> {
    await this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      if (job.mode === 'full') await this.credits.lock(tx, scope);
      const charged = await this.work.fail(tx, scope, job, RUN_ERRORS[error], now);
      if (charged === undefined) return;
      if (charged > 0) await this.credits.settle(tx, scope, job, now);
      await this.results.sweep(tx, scope, job.templateId);
    });
  }
}

/** The outcome of work, unless the signal aborts first. Work that ignores the signal is not awaited. */
async function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    work.catch(() => undefined);
  }
}
