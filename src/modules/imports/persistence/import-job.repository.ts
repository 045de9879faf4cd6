/** Storage of migration jobs for requests of people: create, list, cancel, resume, delete. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { ImportFailure, ImportJob, NewImportJob } from '../domain/import-job.js';
import { ImportJobEntity } from './import-job.entity.js';

const FIELDS = `id, platform, status, config, imported, failed, total, percent_complete AS "percentComplete",
  created_contacts AS "createdContacts", updated_contacts AS "updatedContacts", unsubscribed, suppressed, mistyped,
  worked_ms::float8 AS "workedMs", error_code AS "errorCode", error_detail AS "errorDetail", created_by AS "createdBy",
  created_at AS "createdAt", started_at AS "startedAt", completed_at AS "completedAt"`;

type Row = Omit<ImportJob, 'progress' | 'error'> &
  ImportJob['progress'] & { readonly errorCode: ImportFailure | null; readonly errorDetail: string | null };

/** A job's checkpoint with its source's counters of failed attempts reset (for the export of a platform). */
const RESET_COUNTERS = ['starts', 'looks', 'busy', 'damaged', 'deadLinks'].reduce(
  (cursor, count) => `${cursor} #- '{at,${count}}'`,
  'cursor',
);

/** What a job needs to resume from its last checkpoint. */
export interface Resumption {
  /** Sealed; null for a file. */
  readonly credentials: string | null;
  readonly plan: string;
  readonly now: Date;
}

@Injectable()
export class ImportJobRepository {
  /** Serializes requests of an environment until the transaction ends. */
  async lockRequests(tx: Transaction, { workspaceId, environment }: TenantScope): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `import_jobs ${workspaceId} ${environment}`,
    ]);
  }

  /** Inserts a job that is due now. */
  async insert(tx: Transaction, scope: TenantScope, job: NewImportJob, now: Date): Promise<void> {
    const { fileId, dryRun } = job.config;
    const { workspaceId, environment } = scope;
    await tx.manager.insert(ImportJobEntity, {
      ...{ ...job, workspaceId, environment, fileId, dryRun },
      ...{ status: 'queued', createdAt: now, dueAt: now },
    });
  }

  async find(tx: Transaction, scope: TenantScope, id: string): Promise<ImportJob | undefined> {
    const [row] = await tx.query<Row & Record<string, unknown>>(
      `SELECT ${FIELDS} FROM import_jobs WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
      [scope.workspaceId, scope.environment, id],
    );
    return row && jobOf(row);
  }

  /** As `find`, and locks the job until the transaction ends. */
  async locked(tx: Transaction, scope: TenantScope, id: string): Promise<ImportJob | undefined> {
    const [row] = await tx.query<Row & Record<string, unknown>>(
      `SELECT ${FIELDS} FROM import_jobs WHERE workspace_id = $1 AND environment = $2 AND id = $3 FOR UPDATE`,
      [scope.workspaceId, scope.environment, id],
    );
    return row && jobOf(row);
  }

  /** Jobs, newest first. */
  async page(
    tx: Transaction,
    scope: TenantScope,
    {
      limit,
      offset,
      after = null,
    }: {
      readonly limit: number;
      readonly offset: number;
      readonly after?: { readonly key: string; readonly id: string } | null;
    },
  ): Promise<ImportJob[]> {
    const rows = await tx.query<Row & Record<string, unknown>>(
      `SELECT ${FIELDS} FROM import_jobs
       WHERE workspace_id = $1 AND environment = $2 AND ($5::timestamptz IS NULL OR (created_at, id) < ($5, $6::uuid))
       ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
      [scope.workspaceId, scope.environment, limit, offset, after?.key ?? null, after?.id ?? null],
    );
    return rows.map(jobOf);
  }

  async count(tx: Transaction, { workspaceId, environment }: TenantScope): Promise<number> {
    const [row] = await tx.query<{ jobs: number }>(
      'SELECT count(*)::int AS jobs FROM import_jobs WHERE workspace_id = $1 AND environment = $2',
      [workspaceId, environment],
    );
    return row?.jobs ?? 0;
  }

  /** How many jobs of the environment wait or run. */
  async countActive(tx: Transaction, { workspaceId, environment }: TenantScope): Promise<number> {
    const [row] = await tx.query<{ jobs: number }>(
      `SELECT count(*)::int AS jobs FROM import_jobs
       WHERE workspace_id = $1 AND environment = $2 AND due_at IS NOT NULL`,
      [workspaceId, environment],
    );
    return row?.jobs ?? 0;
  }

  /**
   * Ends a job that waits or runs, and deletes its credentials and checkpoint in the same statement.
   * @returns whether it was waiting or running.
   */
  async cancel(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const changed = await tx.execute(
      `UPDATE import_jobs SET status = 'cancelled', credentials = NULL, cursor = NULL, due_at = NULL, worker = NULL, completed_at = $4
       WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND status IN ('queued', 'running')`,
      [scope.workspaceId, scope.environment, id, now],
    );
    return changed > 0;
  }

  /** Lets a failed job continue from its last checkpoint. @returns whether it had failed. */
  async resume(
    tx: Transaction,
    scope: TenantScope,
    id: string,
    { credentials, plan, now }: Resumption,
  ): Promise<boolean> {
    const changed = await tx.execute(
      `UPDATE import_jobs SET status = 'queued', credentials = $4, plan = $5, cursor = ${RESET_COUNTERS}, due_at = $6, attempts = 0,
         worker = NULL, error_code = NULL, error_detail = NULL, completed_at = NULL, forget_at = NULL
       WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND status = 'failed'`,
      [scope.workspaceId, scope.environment, id, credentials, plan, now],
    );
    return changed > 0;
  }

  /** The ended jobs beyond the given number of latest ones, newest first. */
  async endedBeyond(
    tx: Transaction,
    scope: TenantScope,
    { retained, limit }: { readonly retained: number; readonly limit: number },
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM import_jobs WHERE workspace_id = $1 AND environment = $2 AND due_at IS NULL
       ORDER BY created_at DESC, id DESC OFFSET $3 LIMIT $4`,
      [scope.workspaceId, scope.environment, retained, limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Deletes the errors and rows of the oldest ended jobs beyond the number that the latest ones may have. If such a
   * job is resumed, its numbering starts again.
   * @param batchSize how many errors and rows to delete, plus the rest of the last job's.
   */
  async deleteResultsBeyond(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    { retained, batchSize }: { readonly retained: number; readonly batchSize: number },
  ): Promise<void> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM (
         SELECT id, sum(own) OVER (ORDER BY created_at, id) - own AS older FROM (
           SELECT id, created_at, errors_kept + rows_kept AS own,
             sum(errors_kept + rows_kept) OVER (ORDER BY created_at DESC, id DESC) AS so_far
           FROM import_jobs WHERE workspace_id = $1 AND environment = $2 AND due_at IS NULL) AS ended
         WHERE own > 0 AND so_far > $3) AS beyond
       WHERE older < $4`,
      [workspaceId, environment, retained, batchSize],
    );
    if (rows.length === 0) return;
    const of = [workspaceId, rows.map(({ id }) => id)];
    await tx.execute('DELETE FROM import_errors WHERE workspace_id = $1 AND job_id = ANY ($2::uuid[])', of);
    await tx.execute('DELETE FROM import_rows WHERE workspace_id = $1 AND job_id = ANY ($2::uuid[])', of);
    await tx.execute(
      'UPDATE import_jobs SET errors_kept = 0, rows_kept = 0 WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
      of,
    );
  }

  /** Deletes ended jobs with their errors, rows, findings and seen keys. */
  async remove(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const of = [scope.workspaceId, ids];
    await tx.execute('DELETE FROM import_errors WHERE workspace_id = $1 AND job_id = ANY ($2::uuid[])', of);
    await tx.execute('DELETE FROM import_rows WHERE workspace_id = $1 AND job_id = ANY ($2::uuid[])', of);
    await tx.execute('DELETE FROM import_findings WHERE workspace_id = $1 AND job_id = ANY ($2::uuid[])', of);
    await tx.execute('DELETE FROM import_seen WHERE workspace_id = $1 AND job_id = ANY ($2::uuid[])', of);
    await tx.execute('DELETE FROM import_jobs WHERE workspace_id = $1 AND id = ANY ($2::uuid[])', of);
  }
}

function jobOf({ imported, failed, total, percentComplete, errorCode, errorDetail, ...job }: Row): ImportJob {
  return {
    ...job,
    progress: { imported, failed, total, percentComplete },
    error: errorCode === null ? null : { code: errorCode, detail: errorDetail ?? '' },
  };
}
