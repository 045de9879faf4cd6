/**
 * Storage of jobs for workers: which are due, who has claimed them, their progress, and their end. At most one
 * process has claimed a job: the row contains the process's presence number. Code that changes a claimed job first
 * locks the row and checks that the number is still its own.
 */
import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type TenantScope, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { JsonObject } from '../../../kernel/json.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ProcessLease } from '../../../platform/database/process-lease.js';
import {
  readCheckpoint,
  storedCheckpoint,
  type Checkpoint,
  type ClaimedImport,
  type ImportState,
} from '../domain/checkpoint.js';
import type { WorkspaceState } from '../../workspaces/domain/workspace.js';
import type { ImportFailure } from '../domain/import-job.js';
import { FAILED_SEEN_KEYS_TTL_MS, LIVENESS_CHECK_MS, SUSPENDED_CHECK_MS } from '../domain/work-limits.js';

/**
 * The tenant's current job: the one that was started, otherwise the oldest. $3 is the calling process, $4 the ids of
 * jobs that it has already claimed.
 */
const CURRENT_JOB = `
  SELECT id, status = 'running' AS "isBegun", due_at AS "dueAt", created_at AS "createdAt",
    status = 'running' AND worker IS NOT NULL AND NOT (worker = $3 AND id <> ALL ($4::uuid[]))
      AND NOT ${ProcessLease.isExpiredSql('worker')} AS "isHeld"
  FROM import_jobs WHERE workspace_id = $1 AND environment = $2 AND due_at IS NOT NULL
  ORDER BY status = 'running' DESC, created_at, id LIMIT 1`;

const CLAIM = `
  UPDATE import_jobs SET status = 'running', worker = $4, due_at = $5, attempts = attempts + 1, started_at = coalesce(started_at, $6), plan = $7
  WHERE workspace_id = $1 AND environment = $2 AND id = $3
  RETURNING id, platform, config, credentials, file_id AS "fileId", dry_run AS "dryRun", plan, cursor, imported, failed, total,
    percent_complete AS "percentComplete", created_contacts AS "createdContacts", updated_contacts AS "updatedContacts", unsubscribed,
    suppressed, mistyped, errors_kept AS "errorsKept", rows_kept AS "rowsKept", created_by AS "createdBy", worker, attempts`;

/** Postpones the check of jobs until a moment, except for rows that are locked because they are being changed. */
const POSTPONE = `
  UPDATE import_jobs SET due_at = $3 WHERE workspace_id = $1 AND environment = $2 AND id IN (
    SELECT id FROM import_jobs WHERE workspace_id = $1 AND environment = $2 AND due_at < $3 FOR UPDATE SKIP LOCKED)`;

/**
 * A job's cursor without the address of its export, which may be signed. When the job is resumed, it requests a new
 * one.
 */
const WITHOUT_ADDRESS = `CASE WHEN cursor #>> '{at,handle}' LIKE '%://%' THEN cursor #- '{at,handle}' ELSE cursor END`;

/** The process still has the claim on the job. */
const IS_CLAIMED = `workspace_id = $1 AND environment = $2 AND id = $3 AND status = 'running' AND worker = $4`;

interface CurrentJob {
  readonly id: string;
  readonly isBegun: boolean;
  readonly isHeld: boolean;
  readonly dueAt: Date;
  readonly createdAt: Date;
}

type ClaimedRow = Omit<ClaimedImport, 'checkpoint' | 'standing'> &
  ImportState & { readonly cursor: JsonObject | null };

/** A claimed job, and its tenant. */
export interface Claim {
  readonly scope: TenantScope;
  readonly job: ClaimedImport;
}

@Injectable()
export class ImportWorkRepository {
  constructor(
    private readonly database: Database,
    private readonly processLease: ProcessLease,
  ) {}

  /** Tenants with jobs that wait or run. */
  async tenants(): Promise<TenantScope[]> {
    return this.database.acrossTenants<TenantScope>(
      `SELECT DISTINCT workspace_id AS "workspaceId", environment FROM import_jobs WHERE due_at IS NOT NULL`,
    );
  }

  /**
   * Claims the workspace's current job: the one that was started, otherwise the oldest of both environments. It may
   * have been claimed by a process that is gone. Claims nothing while another process has the claim, while the job
   * waits for its source, or while the workspace is suspended or to be deleted; then the check of all jobs is
   * postponed until that may have changed. The workspace's plan at this moment applies.
   * @param claimedIds ids of jobs that this process has already claimed.
   */
  async claim(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    workspace: WorkspaceState,
    now: Date,
    claimedIds: readonly string[],
  ): Promise<Claim | undefined> {
    const worker = await this.processLease.number();
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`import_claims ${workspaceId}`]);
    const scopes = ENVIRONMENTS.map((environment): TenantScope => ({ workspaceId, environment }));
    const candidates: { readonly scope: TenantScope; readonly first: CurrentJob }[] = [];
    for (const scope of scopes) {
      await tx.enter(scope);
      const [first] = await tx.query<CurrentJob & Record<string, unknown>>(CURRENT_JOB, [
        workspaceId,
        scope.environment,
        worker,
        claimedIds,
      ]);
      if (first) candidates.push({ scope, first });
    }
    candidates.sort(
      (a, b) =>
        Number(b.first.isBegun) - Number(a.first.isBegun) ||
        a.first.createdAt.getTime() - b.first.createdAt.getTime(),
    );
    const [chosen] = candidates;
    if (!chosen) return undefined;
    const { scope, first } = chosen;
    const until = workspace.isStill
      ? new Date(now.getTime() + SUSPENDED_CHECK_MS)
      : first.isHeld
        ? livenessCheckAt(now)
        : first.dueAt;
    if (workspace.isStill || first.isHeld || first.dueAt > now) {
      for (const each of scopes) {
        await tx.enter(each);
        await tx.execute(POSTPONE, [workspaceId, each.environment, until]);
      }
      return undefined;
    }
    await tx.enter(scope);
    const [row] = await tx.query<ClaimedRow & Record<string, unknown>>(CLAIM, [
      workspaceId,
      scope.environment,
      first.id,
      worker,
      livenessCheckAt(now),
      now,
      workspace.plan,
    ]);
    return row && { scope, job: jobOf(row) };
  }

  /** Locks a job until the transaction ends. @returns whether this process still has the claim. */
  async lock(tx: Transaction, scope: TenantScope, job: ClaimedImport): Promise<boolean> {
    const rows = await tx.query(
      `SELECT FROM import_jobs WHERE ${IS_CLAIMED} FOR NO KEY UPDATE`,
      claimValues(scope, job),
    );
    return rows.length > 0;
  }

  /** Extends the claim on a job that waits for its source. @returns whether this process still has the claim. */
  async extendClaim(tx: Transaction, scope: TenantScope, job: ClaimedImport, now: Date): Promise<boolean> {
    const changed = await tx.execute(`UPDATE import_jobs SET due_at = $5 WHERE ${IS_CLAIMED}`, [
      ...claimValues(scope, job),
      livenessCheckAt(now),
    ]);
    return changed > 0;
  }

  /** Stores the progress of a locked job. @param workedMs milliseconds since the last time. */
  async store(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    {
      checkpoint,
      standing: state,
      workedMs,
    }: { checkpoint: Checkpoint; standing: ImportState; workedMs: number },
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE import_jobs SET cursor = $5, imported = $6, failed = $7, total = $8, percent_complete = greatest(percent_complete, $9::real),
         created_contacts = $10, updated_contacts = $11, unsubscribed = $12, suppressed = $13, errors_kept = $14,
         rows_kept = $15, worked_ms = worked_ms + $16, due_at = $17, mistyped = $18, attempts = 0 WHERE ${IS_CLAIMED}`,
      [
        ...claimValues(scope, job),
        JSON.stringify(storedCheckpoint(checkpoint)),
        state.imported,
        state.failed,
        state.total,
        state.percentComplete,
        state.createdContacts,
        state.updatedContacts,
        state.unsubscribed,
        state.suppressed,
        state.errorsKept,
        state.rowsKept,
        Math.round(workedMs),
        livenessCheckAt(now),
        state.mistyped,
      ],
      'import-jobs-store',
    );
  }

  /** Ends a locked job that is done. Its total becomes the number that it has counted. */
  async complete(tx: Transaction, scope: TenantScope, job: ClaimedImport, now: Date): Promise<void> {
    await tx.execute(
      `UPDATE import_jobs SET status = 'completed', credentials = NULL, cursor = NULL, due_at = NULL, worker = NULL, attempts = 0, completed_at = $5,
         total = imported + failed, percent_complete = 100 WHERE ${IS_CLAIMED}`,
      [...claimValues(scope, job), now],
    );
  }

  /**
   * Ends a job that cannot continue now; it can be resumed from its cursor. @returns whether this process had the
   * claim.
   */
  async fail(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    { code, detail }: { readonly code: ImportFailure; readonly detail: string },
    now: Date,
  ): Promise<boolean> {
    const changed = await tx.execute(
      `UPDATE import_jobs SET status = 'failed', credentials = NULL, cursor = ${WITHOUT_ADDRESS}, due_at = NULL, worker = NULL,
         attempts = 0, completed_at = $5, error_code = $6, error_detail = $7, forget_at = $8 WHERE ${IS_CLAIMED}`,
      [...claimValues(scope, job), now, code, detail, new Date(now.getTime() + FAILED_SEEN_KEYS_TTL_MS)],
    );
    return changed > 0;
  }

  /** Releases a job regularly. It continues at the given time, and its attempts are reset. */
  async release(tx: Transaction, scope: TenantScope, job: ClaimedImport, dueAt: Date): Promise<void> {
    await tx.execute(`UPDATE import_jobs SET worker = NULL, due_at = $5, attempts = 0 WHERE ${IS_CLAIMED}`, [
      ...claimValues(scope, job),
      dueAt,
    ]);
  }

  /** Releases a job after an unexpected failure. It is retried at the given time, and the attempt counts. */
  async defer(tx: Transaction, scope: TenantScope, job: ClaimedImport, dueAt: Date): Promise<void> {
    await tx.execute(
      `UPDATE import_jobs SET worker = NULL, due_at = $5, attempts = greatest(attempts, 1) WHERE ${IS_CLAIMED}`,
      [...claimValues(scope, job), dueAt],
    );
  }

  /** The sealed credentials of jobs that wait or run; locked until the transaction ends. */
  async lockSealed(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
  ): Promise<{ readonly id: string; readonly credentials: string }[]> {
    return tx.query(
      `SELECT id, credentials FROM import_jobs
       WHERE workspace_id = $1 AND environment = $2 AND due_at IS NOT NULL AND credentials IS NOT NULL
       ORDER BY id FOR NO KEY UPDATE`,
      [workspaceId, environment],
    );
  }

  /** Stores the resealed credentials of a locked job. */
  async storeSeal(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    id: string,
    credentials: string,
  ): Promise<void> {
    await tx.execute(
      `UPDATE import_jobs SET credentials = $4 WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
      [workspaceId, environment, id, credentials],
    );
  }

  /** Makes the workspace's waiting jobs due, after another one has ended. */
  async wakeNext(tx: Transaction, scope: TenantScope, now: Date): Promise<void> {
    const { workspaceId } = scope;
    for (const environment of ENVIRONMENTS) {
      await tx.enter({ workspaceId, environment });
      await tx.execute(
        `UPDATE import_jobs SET due_at = $3 WHERE workspace_id = $1 AND environment = $2 AND status = 'queued' AND due_at > $3`,
        [workspaceId, environment, now],
      );
    }
    await tx.enter(scope);
  }
}

function claimValues({ workspaceId, environment }: TenantScope, { id, worker }: ClaimedImport): unknown[] {
  return [workspaceId, environment, id, worker];
}

function livenessCheckAt(now: Date): Date {
  return new Date(now.getTime() + LIVENESS_CHECK_MS);
}

function jobOf({
  cursor,
  imported,
  failed,
  total,
  percentComplete,
  createdContacts,
  updatedContacts,
  unsubscribed,
  suppressed,
  mistyped,
  errorsKept,
  rowsKept,
  ...job
}: ClaimedRow): ClaimedImport {
  const counters = { imported, failed, total, percentComplete, createdContacts, updatedContacts };
  return {
    ...job,
    checkpoint: readCheckpoint(cursor),
    standing: { ...counters, unsubscribed, suppressed, mistyped, errorsKept, rowsKept },
  };
}
