/**
 * Runs one time slice of a claimed job. Pages are read ahead while earlier ones are written, until everything is
 * read, the slice is over, the source asks to wait, or something fails. A failure reported by the source fails the
 * job, which can be resumed. An unexpected error is retried and fails the job in the end. If the process dies,
 * another continues from the last checkpoint.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BrokenSeal } from '../../../platform/crypto/seal.js';
import { codeOf, Database, isUnreachable } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { WorkSession } from '../../../platform/queue/work-session.js';
import { HEAP_LIMITER } from '../../../platform/threads/heap-limiter.js';
import { checkpointForAccounts, type ClaimedImport } from '../domain/checkpoint.js';
import { storableAssets, type SourceAsset } from '../domain/source-record.js';
import type { ImportFailure } from '../domain/import-job.js';
import { mayMigrate } from '../domain/import-plan.js';
import { RetryLaterError, SourceFailure, type ImportSource } from '../domain/import-source.js';
import { mappingOf } from '../domain/mapping.js';
import type { Credentials } from '../domain/platform.js';
import { readBatch } from '../domain/read-batch.js';
import {
  GATHER_MS,
  HEARTBEAT_MS,
  MAX_SOURCE_WAIT_MS,
  MAX_IMPORT_ATTEMPTS,
  MAX_IMPORT_FAILURES,
  RETRY_PAUSE_MS,
  ASSETS_HEARTBEATS,
} from '../domain/work-limits.js';
import { ImportResultsRepository } from '../persistence/import-results.repository.js';
import { ImportWorkRepository } from '../persistence/import-work.repository.js';
import { ImportCredentials } from './import-credentials.js';
import { FILE_TTL_MS, ImportFiles } from './import-files.js';
import { ImportWriter, LeaseLostError } from './import-writer.js';
import { PageTooLargeError, PageReader } from './page-reader.js';
import { PlatformCallsFactory } from './platform-calls-factory.js';
import type { JobPermit } from './job-permit.js';
import { Sources } from './sources.js';
import { withHeartbeat } from './with-heartbeat.js';

const NO_CREDENTIALS: Credentials = { appId: null, apiKey: null, extra: {} };

const INTERNAL_ERROR = {
  code: 'internal_error',
  detail: 'The migration failed repeatedly. It can be resumed.',
} as const;

const NO_MIGRATIONS = {
  code: 'plan_limit_reached',
  detail: 'The workspace’s plan no longer includes migrations. Upgrade the plan to resume the migration.',
} as const;

/** What is needed to work on a job. */
interface JobContext {
  readonly permit: JobPermit;
  readonly source: ImportSource;
  readonly credentials: Credentials;
  /** Aborts what was started with these tools. */
  readonly signal: AbortSignal;
}

@Injectable()
export class ImportRunner {
  private readonly claimedJobs = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly work: ImportWorkRepository,
    private readonly results: ImportResultsRepository,
    private readonly writer: ImportWriter,
    private readonly sources: Sources,
    private readonly credentials: ImportCredentials,
    private readonly calls: PlatformCallsFactory,
    private readonly files: ImportFiles,
    private readonly session: WorkSession,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The ids of jobs that this process has claimed. */
  get claimedIds(): readonly string[] {
    return [...this.claimedJobs];
  }

  /**
   * Works on a claimed job and releases it.
   * @param mayContinue returns false when the time slice is over; what was read by then is still written.
   * @param permit is released while waiting for the platform.
   * @throws errors that mean that the database is unreachable.
   */
  async runTimeSlice(
    scope: TenantScope,
    job: ClaimedImport,
    mayContinue: () => boolean,
    permit: JobPermit,
  ): Promise<void> {
    this.claimedJobs.add(job.id);
    const abortController = new AbortController();
    try {
      if (job.attempts > MAX_IMPORT_ATTEMPTS) await this.fail(scope, job, INTERNAL_ERROR);
      else if (!mayMigrate(job.plan)) await this.fail(scope, job, NO_MIGRATIONS);
      else
        await HEAP_LIMITER.run(() => this.attempt(scope, job, mayContinue, permit, abortController.signal));
    } catch (error) {
      await this.handleFailure(scope, job, error);
    } finally {
      abortController.abort();
      this.claimedJobs.delete(job.id);
    }
  }

  private async attempt(
    scope: TenantScope,
    claimed: ClaimedImport,
    mayContinue: () => boolean,
    permit: JobPermit,
    abortSignal: AbortSignal,
  ): Promise<void> {
    const signal = AbortSignal.any([abortSignal, this.session.signal]);
    const credentials = this.openCredentials(scope, claimed);
    const accounts = this.credentials.accountsOf(scope, claimed, credentials);
    const job = { ...claimed, checkpoint: checkpointForAccounts(claimed.checkpoint, accounts) };
    const context = { ...{ permit, credentials, signal }, source: await this.sources.of(scope, job) };
    const dueAt = job.checkpoint.isRead ? undefined : await this.transfer(scope, job, context, mayContinue);
    if (dueAt) await this.database.inScope(scope, (tx) => this.work.release(tx, scope, job, dueAt));
    else await this.complete(scope, job, await this.assetsOf(scope, job, context));
  }

  /** Reads and writes. @returns when the job is to continue; undefined if everything is read. */
  private async transfer(
    scope: TenantScope,
    job: ClaimedImport,
    { source, credentials, signal, permit }: JobContext,
    mayContinue: () => boolean,
  ): Promise<Date | undefined> {
    const calls = this.calls.of(scope, job, signal);
    const mapping = mappingOf(source.fields, job.config);
    const reader = new PageReader((at) => source.page(credentials, at, calls), job.checkpoint.at);
    let startedAt = performance.now();
    try {
      for (let current = job; ;) {
        if (!mayContinue()) reader.stop();
        await reader.waitForBatch(GATHER_MS);
        if (!(await reader.waitForPage(0)))
          await permit.whileReleased(() => this.waitForPages(scope, job, reader, mayContinue));
        const batch = reader.takeBatch();
        if (!batch) return this.clock.now();
        const read = await readBatch(batch.records, mapping);
        current = await this.writer.write(scope, current, batch, read, startedAt);
        startedAt = performance.now();
        if (current.checkpoint.isRead) return undefined;
        if (batch.retryAfterMs !== undefined)
          return new Date(
            this.clock.now().getTime() + Math.min(Math.max(batch.retryAfterMs, 0), MAX_SOURCE_WAIT_MS),
          );
      }
    } finally {
      reader.stop();
    }
  }

  /** @throws LeaseLostError */
  private async waitForPages(
    scope: TenantScope,
    job: ClaimedImport,
    reader: PageReader,
    mayContinue: () => boolean,
  ): Promise<void> {
    while (!(await reader.waitForPage(HEARTBEAT_MS))) {
      this.session.signal.throwIfAborted();
      await this.extendClaim(scope, job);
      if (!mayContinue()) reader.stop();
    }
  }

  private openCredentials(scope: TenantScope, { id, credentials, platform }: ClaimedImport): Credentials {
    if (credentials === null) {
      if (platform === 'file') return NO_CREDENTIALS;
      throw new SourceFailure('invalid_credentials', 'The migration has no credentials.');
    }
    try {
      return this.credentials.open(scope, id, credentials);
    } catch (error) {
      if (!(error instanceof BrokenSeal)) throw error;
      throw new SourceFailure('invalid_credentials', 'The credentials can no longer be decrypted.');
    }
  }

  /** @throws LeaseLostError */
  private async extendClaim(scope: TenantScope, job: ClaimedImport): Promise<void> {
    const isClaimed = await this.database.inScope(scope, (tx) =>
      this.work.extendClaim(tx, scope, job, this.clock.now()),
    );
    if (!isClaimed) throw new LeaseLostError();
  }

  /**
   * The platform's other assets. If they cannot be read, or not in time, the job neither fails nor is retried, since
   * its contacts are all imported.
   * @throws LeaseLostError; errors that mean that the process ends, or that the database is unreachable.
   */
  private async assetsOf(
    scope: TenantScope,
    job: ClaimedImport,
    { source, credentials, signal, permit }: JobContext,
  ): Promise<readonly SourceAsset[]> {
    const abortController = new AbortController();
    try {
      const calls = this.calls.of(scope, job, AbortSignal.any([signal, abortController.signal]));
      const listAssets = (): Promise<SourceAsset[]> =>
        withHeartbeat(source.assets(credentials, calls), ASSETS_HEARTBEATS, () =>
          this.extendClaim(scope, job),
        );
      return storableAssets(await permit.whileReleased(listAssets));
    } catch (error) {
      if (error instanceof LeaseLostError || isUnreachable(error) || this.session.signal.aborted) throw error;
      this.logger.warn(
        { jobId: job.id, ...traceOf(error) },
        'What else a platform holds could not be determined',
      );
      return [];
    } finally {
      abortController.abort();
    }
  }

  private async complete(
    scope: TenantScope,
    job: ClaimedImport,
    assets: readonly SourceAsset[],
  ): Promise<void> {
    await this.database.inScope(scope, async (tx) => {
      if (!(await this.work.lock(tx, scope, job))) throw new LeaseLostError();
      const now = this.clock.now();
      await this.results.replaceAssets(tx, scope, job.id, assets);
      await this.files.removeOfJob(tx, scope, job.id);
      if (job.fileId !== null)
        await this.files.retainUntil(tx, scope, job.fileId, new Date(now.getTime() + FILE_TTL_MS));
      await this.work.complete(tx, scope, job, now);
      await this.work.wakeNext(tx, scope, now);
    });
    this.calls.deleteUsage(job.id);
  }

  private async fail(
    scope: TenantScope,
    job: ClaimedImport,
    failure: { readonly code: ImportFailure; readonly detail: string },
  ): Promise<void> {
    await this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      if (!(await this.work.fail(tx, scope, job, failure, now))) return;
      await this.work.wakeNext(tx, scope, now);
    });
    this.calls.deleteUsage(job.id);
  }

  /** @throws errors that mean that the database is unreachable. */
  private async handleFailure(scope: TenantScope, job: ClaimedImport, error: unknown): Promise<void> {
    if (error instanceof LeaseLostError) {
      this.calls.deleteUsage(job.id);
      return;
    }
    if (isUnreachable(error)) throw error;
    const now = this.clock.now().getTime();
    if (error instanceof RetryLaterError || this.session.signal.aborted) {
      const wait = error instanceof RetryLaterError ? Math.max(error.milliseconds, 0) : 0;
      await this.database.inScope(scope, (tx) => this.work.release(tx, scope, job, new Date(now + wait)));
    } else if (error instanceof SourceFailure) await this.fail(scope, job, error);
    else if (error instanceof PageTooLargeError) {
      const { id: jobId, platform } = job;
      this.logger.error(
        { jobId, platform, page: error.page },
        'A source returned a page that exceeds all limits',
      );
      await this.fail(scope, job, INTERNAL_ERROR);
    } else {
      const { id: jobId, platform, attempts } = job;
      this.logger.warn({ jobId, platform, attempts, ...traceOf(error) }, 'A migration failed unexpectedly');
      if (attempts >= MAX_IMPORT_FAILURES) await this.fail(scope, job, INTERNAL_ERROR);
      else
        await this.database.inScope(scope, (tx) =>
          this.work.defer(tx, scope, job, new Date(now + RETRY_PAUSE_MS * attempts)),
        );
    }
  }
}

/** Where an error comes from. Leaves out its text, which may repeat a key or the content of a record. */
function traceOf(error: unknown): { readonly error: string; readonly code: string; readonly at: string[] } {
  const frames =
    error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
  const name = error instanceof DomainError ? error.code : error instanceof Error ? error.name : typeof error;
  return { error: name, code: codeOf(error), at: frames.map((line) => line.trim()) };
}
