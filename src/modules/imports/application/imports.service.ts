/**
 * Requests, shows, cancels and resumes migrations (sections 3.6 and 4.9). A job is stored as a row before the request
 * is answered; workers process it.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { Author } from '../../../kernel/principal.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { AuditLog } from '../../audit/application/audit-log.js';
import type { AuditAction } from '../../audit/domain/audit-entry.js';
import {
  ENDED_JOBS_DELETE_BATCH,
  MAX_STORED_RESULTS,
  MAX_ENDED_JOBS,
  MAX_ACTIVE_JOBS,
  RESULTS_DELETE_BATCH,
  JOB_LIMIT_RETRY_SECONDS,
} from '../domain/import-bounds.js';
import type { ImportFile } from '../domain/files/import-file.js';
import type { ImportJob } from '../domain/import-job.js';
import { assertMigrates } from '../domain/import-plan.js';
import {
  assertColumns,
  validCredentials,
  validFileId,
  type ImportRequest,
} from '../domain/import-request.js';
import type { Credentials, Platform } from '../domain/platform.js';
import { ImportFileRepository } from '../persistence/import-file.repository.js';
import { ImportJobRepository } from '../persistence/import-job.repository.js';
import { ImportWorkRepository } from '../persistence/import-work.repository.js';
import { ImportCredentials } from './import-credentials.js';
import { FILE_TTL_MS, ImportFiles } from './import-files.js';
import { Sources } from './sources.js';

/** A page by offset, in REST. */
export interface OffsetPage {
  readonly limit: number;
  readonly offset: number;
}

@Injectable()
export class ImportsService {
  constructor(
    private readonly database: Database,
    private readonly jobs: ImportJobRepository,
    private readonly work: ImportWorkRepository,
    private readonly sources: Sources,
    private readonly files: ImportFiles,
    private readonly stored: ImportFileRepository,
    private readonly credentials: ImportCredentials,
    private readonly audit: AuditLog,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
  ) {}

  /**
   * Requests an import, which runs when it is the job's turn.
   * @param plan of the workspace, whose limit of contacts applies.
   * @throws DomainError plan_limit_reached; validation_error, invalid_field for invalid credentials, file or column
   * mapping; file_not_found; rate_limit_exceeded with retry_after while MAX_ACTIVE_JOBS jobs wait or run.
   */
  async request(
    scope: TenantScope,
    plan: string,
    request: ImportRequest,
    author: Author,
  ): Promise<ImportJob> {
    assertMigrates(plan);
    const { platform, config } = request;
    const credentials = this.validCredentials(platform, request.credentials);
    const fileId = validFileId(request);
    return this.database.inScope(scope, async (tx) => {
      await this.jobs.lockRequests(tx, scope);
      const now = this.clock.now();
      if (fileId !== null) assertColumns(await this.retainFile(tx, scope, fileId, now), config);
      await this.assertBelowJobLimit(tx, scope);
      const id = uuidv7(now.getTime());
      const sealed = credentials && this.credentials.seal(scope, id, credentials);
      const job = { id, platform, config, credentials: sealed, plan, createdBy: author.actor };
      await this.jobs.insert(tx, scope, job, now);
      await this.recordAudit(tx, scope, author, 'migration_started', await this.locked(tx, scope, id));
      await this.deleteExcess(tx, scope);
      this.wakeAfterCommit(tx, scope);
      return this.locked(tx, scope, id);
    });
  }

  /** @throws DomainError migration_not_found. */
  async get(scope: TenantScope, id: string): Promise<ImportJob> {
    return this.database.inScope(scope, (tx) => this.found(tx, scope, id));
  }

  /** The job, read in an open transaction. @throws DomainError migration_not_found. */
  async found(tx: Transaction, scope: TenantScope, id: string): Promise<ImportJob> {
    const job = isUuid(id) ? await this.jobs.find(tx, scope, id) : undefined;
    if (!job) throw jobNotFound(id);
    return job;
  }

  /** Jobs by offset, newest first, with the total count. */
  async list(
    scope: TenantScope,
    page: OffsetPage,
  ): Promise<{ readonly jobs: readonly ImportJob[]; readonly total: number }> {
    return this.database.listInScope(scope, async (tx) => ({
      jobs: await this.jobs.page(tx, scope, page),
      total: await this.jobs.count(tx, scope),
    }));
  }

  /** Jobs by cursor, newest first. */
  async page(scope: TenantScope, { first, after }: PageRequest): Promise<Slice<ImportJob>> {
    const options = { limit: first + 1, offset: 0, after };
    const found = await this.database.listInScope(scope, (tx) => this.jobs.page(tx, scope, options));
    return sliceOf(found, first);
  }

  /**
   * Resumes a failed job from its last checkpoint.
   * @param given new credentials for a platform, since those of the job are deleted.
   * @throws DomainError migration_not_found; invalid_status; as `request`.
   */
  async resume(
    scope: TenantScope,
    plan: string,
    id: string,
    given: Credentials | null,
    author: Author,
  ): Promise<ImportJob> {
    assertMigrates(plan);
    return this.database.inScope(scope, async (tx) => {
      await this.jobs.lockRequests(tx, scope);
      const job = await this.locked(tx, scope, id);
      if (job.status !== 'failed') throw wrongStatus(job, 'resumed: only failed migrations can be');
      const credentials = this.validCredentials(job.platform, given);
      const now = this.clock.now();
      if (job.config.fileId !== null) await this.retainFile(tx, scope, job.config.fileId, now);
      await this.assertBelowJobLimit(tx, scope);
      const sealed = credentials && this.credentials.seal(scope, job.id, credentials);
      await this.jobs.resume(tx, scope, job.id, { credentials: sealed, plan, now });
      await this.recordAudit(tx, scope, author, 'migration_resumed', job);
      this.wakeAfterCommit(tx, scope);
      return this.locked(tx, scope, job.id);
    });
  }

  /**
   * Ends a job that waits or runs. Imported contacts stay, its download is removed.
   * @throws DomainError migration_not_found; invalid_status.
   */
  async cancel(scope: TenantScope, id: string, author: Author): Promise<ImportJob> {
    return this.database.inScope(scope, async (tx) => {
      const job = await this.locked(tx, scope, id);
      const now = this.clock.now();
      if (!(await this.jobs.cancel(tx, scope, job.id, now)))
        throw wrongStatus(job, 'cancelled: only queued and running migrations can be');
      if (job.config.fileId !== null)
        await this.files.retainUntil(tx, scope, job.config.fileId, expiryOf(now));
      await this.files.removeOfJob(tx, scope, job.id);
      await this.recordAudit(tx, scope, author, 'migration_cancelled', job);
      await this.work.wakeNext(tx, scope, now);
      await tx.enter(scope);
      this.wakeAfterCommit(tx, scope);
      return this.locked(tx, scope, job.id);
    });
  }

  private validCredentials(platform: Platform, credentials: Credentials | null): Credentials | null {
    return validCredentials(platform, credentials, (given) => this.sources.problemOf(platform, given));
  }

  /** Removes what exceeds the limits: the oldest ended jobs, and the errors and rows of older jobs. */
  private async deleteExcess(tx: Transaction, scope: TenantScope): Promise<void> {
    const limit = ENDED_JOBS_DELETE_BATCH;
    await this.jobs.remove(
      tx,
      scope,
      await this.jobs.endedBeyond(tx, scope, { retained: MAX_ENDED_JOBS, limit }),
    );
    await this.jobs.deleteResultsBeyond(tx, scope, {
      retained: MAX_STORED_RESULTS,
      batchSize: RESULTS_DELETE_BATCH,
    });
  }

  private async locked(tx: Transaction, scope: TenantScope, id: string): Promise<ImportJob> {
    const job = isUuid(id) ? await this.jobs.locked(tx, scope, id) : undefined;
    if (!job) throw jobNotFound(id);
    return job;
  }

  /** @throws DomainError file_not_found. */
  private async retainFile(
    tx: Transaction,
    scope: TenantScope,
    fileId: string,
    now: Date,
  ): Promise<ImportFile> {
    if (isUuid(fileId)) {
      await this.files.retainUntil(tx, scope, fileId, expiryOf(now));
      const file = await this.stored.find(tx, scope, fileId);
      if (file) return file;
    }
    throw new DomainError('file_not_found', `No file has the ID ${fileId}.`);
  }

  private async assertBelowJobLimit(tx: Transaction, scope: TenantScope): Promise<void> {
    if ((await this.jobs.countActive(tx, scope)) >= MAX_ACTIVE_JOBS)
      throw new DomainError(
        'rate_limit_exceeded',
        `${MAX_ACTIVE_JOBS} migrations are waiting or running: try again when some have finished.`,
        { retry_after: JOB_LIMIT_RETRY_SECONDS },
      );
  }

  private async recordAudit(
    tx: Transaction,
    scope: TenantScope,
    author: Author,
    action: AuditAction,
    { id, platform, status, config }: ImportJob,
  ): Promise<void> {
    const { tags, fileId, dryRun } = config;
    const after = { platform, environment: scope.environment, tags, fileId, dryRun };
    const before = action === 'migration_started' ? null : { status };
    await this.audit.record(tx, scope, author, { action, subjectId: id, before, after });
  }

  private wakeAfterCommit(tx: Transaction, scope: TenantScope): void {
    tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.imports, scope));
  }
}

function expiryOf(now: Date): Date {
  return new Date(now.getTime() + FILE_TTL_MS);
}

function jobNotFound(id: string): DomainError {
  return new DomainError('migration_not_found', `No migration has the ID ${id}.`);
}

function wrongStatus({ status }: ImportJob, what: string): DomainError {
  return new DomainError('invalid_status', `A ${status} migration cannot be ${what}.`, (spell) => ({
    [spell('migrationStatus')]: status,
  }));
}
