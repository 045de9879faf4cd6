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
import { STEADY_HEAP } from '../../../platform/threads/steady-heap.js';
import { checkpointOf, type ClaimedImport } from '../domain/checkpoint.js';
import { storableThings, type ForeignThing } from '../domain/foreign-contact.js';
import type { ImportFailure } from '../domain/import-job.js';
import { mayMigrate } from '../domain/import-plan.js';
import { ComeBackLater, SourceFailure, type ImportSource } from '../domain/import-source.js';
import { mappingOf } from '../domain/mapping.js';
import type { Credentials } from '../domain/platform.js';
import { readBatch } from '../domain/read-batch.js';
import {
  GATHERING,
  HEARTBEAT,
  LONGEST_WAIT,
  MOST_ATTEMPTS,
  MOST_FAILURES,
  PAUSE,
  TELLING,
} from '../domain/work-bounds.js';
import { ImportResultsRepository } from '../persistence/import-results.repository.js';
import { ImportWorkRepository } from '../persistence/import-work.repository.js';
import { ImportCredentials } from './import-credentials.js';
import { FILE_KEPT_FOR, ImportFiles } from './import-files.js';
import { ImportWriter, NotMine } from './import-writer.js';
import { PageBeyondBounds, PageReader } from './page-reader.js';
import { PlatformCallsFactory } from './platform-calls-factory.js';
import type { Seat } from './seats.js';
import { Sources } from './sources.js';
import { whileBeating } from './while-beating.js';

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
interface Tools {
  readonly seat: Seat;
  readonly source: ImportSource;
  readonly credentials: Credentials;
  /** Aborts what was started with these tools. */
  readonly signal: AbortSignal;
}

@Injectable()
export class ImportRunner {
  private readonly held = new Set<string>();

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
  get inHand(): readonly string[] {
    return [...this.held];
  }

  /**
   * Works on a claimed job and releases it.
   * @param mayGoOn returns false when the time slice is over; what was read by then is still written.
   * @param seat is released while waiting for the platform.
   * @throws errors that mean that the database is unreachable.
   */
  async turn(scope: TenantScope, job: ClaimedImport, mayGoOn: () => boolean, seat: Seat): Promise<void> {
    this.held.add(job.id);
    const ending = new AbortController();
    try {
      if (job.attempts > MOST_ATTEMPTS) await this.fail(scope, job, INTERNAL_ERROR);
      else if (!mayMigrate(job.plan)) await this.fail(scope, job, NO_MIGRATIONS);
      else await STEADY_HEAP.while(() => this.attempt(scope, job, mayGoOn, seat, ending.signal));
    } catch (error) {
      await this.afterFailure(scope, job, error);
    } finally {
      ending.abort();
      this.held.delete(job.id);
    }
  }

  private async attempt(
    scope: TenantScope,
    claimed: ClaimedImport,
    mayGoOn: () => boolean,
    seat: Seat,
    ending: AbortSignal,
  ): Promise<void> {
    const signal = AbortSignal.any([ending, this.session.signal]);
    const credentials = this.opened(scope, claimed);
    const accounts = this.credentials.accountsOf(scope, claimed, credentials);
    const job = { ...claimed, checkpoint: checkpointOf(claimed.checkpoint, accounts) };
    const tools = { ...{ seat, credentials, signal }, source: await this.sources.of(scope, job) };
    const dueAt = job.checkpoint.isRead ? undefined : await this.bring(scope, job, tools, mayGoOn);
    if (dueAt) await this.database.inScope(scope, (tx) => this.work.release(tx, scope, job, dueAt));
    else await this.complete(scope, job, await this.thingsOf(scope, job, tools));
  }

  /** Reads and writes. @returns when the job is to continue; undefined if everything is read. */
  private async bring(
    scope: TenantScope,
    job: ClaimedImport,
    { source, credentials, signal, seat }: Tools,
    mayGoOn: () => boolean,
  ): Promise<Date | undefined> {
    const calls = this.calls.of(scope, job, signal);
    const mapping = mappingOf(source.fields, job.config);
    const reader = new PageReader((at) => source.page(credentials, at, calls), job.checkpoint.at);
    let since = performance.now();
    try {
      for (let standing = job; ;) {
        if (!mayGoOn()) reader.stop();
        await reader.gathered(GATHERING);
        if (!(await reader.ready(0))) await seat.without(() => this.wait(scope, job, reader, mayGoOn));
        const batch = reader.take();
        if (!batch) return this.clock.now();
        const read = await readBatch(batch.records, mapping);
        standing = await this.writer.write(scope, standing, batch, read, since);
        since = performance.now();
        if (standing.checkpoint.isRead) return undefined;
        if (batch.again !== undefined)
          return new Date(this.clock.now().getTime() + Math.min(Math.max(batch.again, 0), LONGEST_WAIT));
      }
    } finally {
      reader.stop();
    }
  }

  /** @throws NotMine */
  private async wait(
    scope: TenantScope,
    job: ClaimedImport,
    reader: PageReader,
    mayGoOn: () => boolean,
  ): Promise<void> {
    while (!(await reader.ready(HEARTBEAT))) {
      this.session.signal.throwIfAborted();
      await this.keep(scope, job);
      if (!mayGoOn()) reader.stop();
    }
  }

  private opened(scope: TenantScope, { id, credentials, platform }: ClaimedImport): Credentials {
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

  /** @throws NotMine */
  private async keep(scope: TenantScope, job: ClaimedImport): Promise<void> {
    const isMine = await this.database.inScope(scope, (tx) =>
      this.work.keep(tx, scope, job, this.clock.now()),
    );
    if (!isMine) throw new NotMine();
  }

  /**
   * The platform's other assets. If they cannot be read, or not in time, the job neither fails nor is retried, since
   * its contacts are all imported.
   * @throws NotMine; errors that mean that the process ends, or that the database is unreachable.
   */
  private async thingsOf(
    scope: TenantScope,
    job: ClaimedImport,
    { source, credentials, signal, seat }: Tools,
  ): Promise<readonly ForeignThing[]> {
    const ending = new AbortController();
    try {
      const calls = this.calls.of(scope, job, AbortSignal.any([signal, ending.signal]));
      const told = (): Promise<ForeignThing[]> =>
        whileBeating(source.things(credentials, calls), TELLING, () => this.keep(scope, job));
      return storableThings(await seat.without(told));
    } catch (error) {
      if (error instanceof NotMine || isUnreachable(error) || this.session.signal.aborted) throw error;
      this.logger.warn(
        { jobId: job.id, ...traceOf(error) },
        'What else a platform holds could not be determined',
      );
      return [];
    } finally {
      ending.abort();
    }
  }

  private async complete(
    scope: TenantScope,
    job: ClaimedImport,
    things: readonly ForeignThing[],
  ): Promise<void> {
    await this.database.inScope(scope, async (tx) => {
      if (!(await this.work.lock(tx, scope, job))) throw new NotMine();
      const now = this.clock.now();
      await this.results.replaceThings(tx, scope, job.id, things);
      await this.files.removeOfJob(tx, scope, job.id);
      if (job.fileId !== null)
        await this.files.keepFor(tx, scope, job.fileId, new Date(now.getTime() + FILE_KEPT_FOR));
      await this.work.complete(tx, scope, job, now);
      await this.work.wakeNext(tx, scope, now);
    });
    this.calls.forget(job.id);
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
    this.calls.forget(job.id);
  }

  /** @throws errors that mean that the database is unreachable. */
  private async afterFailure(scope: TenantScope, job: ClaimedImport, error: unknown): Promise<void> {
    if (error instanceof NotMine) {
      this.calls.forget(job.id);
      return;
    }
    if (isUnreachable(error)) throw error;
    const now = this.clock.now().getTime();
    if (error instanceof ComeBackLater || this.session.signal.aborted) {
      const wait = error instanceof ComeBackLater ? Math.max(error.milliseconds, 0) : 0;
      await this.database.inScope(scope, (tx) => this.work.release(tx, scope, job, new Date(now + wait)));
    } else if (error instanceof SourceFailure) await this.fail(scope, job, error);
    else if (error instanceof PageBeyondBounds) {
      const { id: jobId, platform } = job;
      this.logger.error(
        { jobId, platform, page: error.page },
        'A source returned a page that exceeds all limits',
      );
      await this.fail(scope, job, INTERNAL_ERROR);
    } else {
      const { id: jobId, platform, attempts } = job;
      this.logger.warn({ jobId, platform, attempts, ...traceOf(error) }, 'A migration failed unexpectedly');
      if (attempts >= MOST_FAILURES) await this.fail(scope, job, INTERNAL_ERROR);
      else
        await this.database.inScope(scope, (tx) =>
          this.work.defer(tx, scope, job, new Date(now + PAUSE * attempts)),
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
