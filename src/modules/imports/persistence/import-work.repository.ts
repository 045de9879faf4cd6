/**
 * Storage of jobs for workers: which are due, who has claimed them, their progress, and their end. At most one
 * process has claimed a job: the row contains the process's presence number. Code that changes a claimed job first
 * locks the row and checks that the number is still its own.
 */
import { Injectable } from '@nestjs/common';
import { ENVIRONMENTS, type TenantScope, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { JsonObject } from '../../../kernel/json.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import { Presence } from '../../../platform/database/presence.js';
import type { DueTenant } from '../../../platform/queue/stage.js';
import {
  checkpointIn,
  storedCheckpoint,
  type Checkpoint,
  type ClaimedImport,
  type Standing,
} from '../domain/checkpoint.js';
import type { WorkspaceStanding } from '../../workspaces/domain/workspace.js';
import type { ImportFailure } from '../domain/import-job.js';
import { FAILED_KNOWN_FOR, LOOK_AFTER, STILL_FOR } from '../domain/work-bounds.js';

/** Each tenant's earliest job. */
const EARLIEST = earliestOfTenants('FROM import_jobs WHERE due_at IS NOT NULL', 'due_at');

/** Each tenant's failed job whose seen keys are to be deleted first. */
const EARLIEST_TO_FORGET = earliestOfTenants('FROM import_jobs WHERE forget_at IS NOT NULL', 'forget_at');

/**
 * The tenant's current job: the one that was started, otherwise the oldest. $3 is the calling process, $4 the ids of
 * jobs that it has already claimed.
 */
const FIRST = `
  SELECT id, status = 'running' AS "isBegun", due_at AS "dueAt", created_at AS "createdAt",
    status = 'running' AND worker IS NOT NULL AND NOT (worker = $3 AND id <> ALL ($4::uuid[]))
      AND NOT ${Presence.isGone('worker')} AS "isHeld"
  FROM import_jobs WHERE workspace_id = $1 AND environment = $2 AND due_at IS NOT NULL
  ORDER BY status = 'running' DESC, created_at, id LIMIT 1`;

const TAKE = `
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
const MINE = `workspace_id = $1 AND environment = $2 AND id = $3 AND status = 'running' AND worker = $4`;

interface First {
  readonly id: string;
  readonly isBegun: boolean;
  readonly isHeld: boolean;
  readonly dueAt: Date;
  readonly createdAt: Date;
}

type TakenRow = Omit<ClaimedImport, 'checkpoint' | 'standing'> &
  Standing & { readonly cursor: JsonObject | null };

/** A claimed job, and its tenant. */
export interface Claim {
  readonly scope: TenantScope;
  readonly job: ClaimedImport;
}

@Injectable()
export class ImportWorkRepository {
  constructor(
    private readonly database: Database,
    private readonly presence: Presence,
  ) {}

  /**
   * Tenants with the due time of their earliest job, and of the earliest failed job whose seen keys are to be
   * deleted.
   */
  async due(): Promise<DueTenant[]> {
    const jobs = await this.database.acrossTenants<DueTenant>(EARLIEST);
    return [...jobs, ...(await this.database.acrossTenants<DueTenant>(EARLIEST_TO_FORGET))];
  }

  /**
   * Claims the workspace's current job: the one that was started, otherwise the oldest of both environments. It may
   * have been claimed by a process that is gone. Claims nothing while another process has the claim, while the job
   * waits for its source, or while the workspace is suspended or to be deleted; then the check of all jobs is
   * postponed until that may have changed. The workspace's plan at this moment applies.
   * @param inHand ids of jobs that this process has already claimed.
   */
  async claim(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    standing: WorkspaceStanding,
    now: Date,
    inHand: readonly string[],
  ): Promise<Claim | undefined> {
    const worker = await this.presence.number();
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`import_claims ${workspaceId}`]);
    const scopes = ENVIRONMENTS.map((environment): TenantScope => ({ workspaceId, environment }));
    const firsts: { readonly scope: TenantScope; readonly first: First }[] = [];
    for (const scope of scopes) {
      await tx.enter(scope);
      const [first] = await tx.query<First & Record<string, unknown>>(FIRST, [
        workspaceId,
        scope.environment,
        worker,
        inHand,
      ]);
      if (first) firsts.push({ scope, first });
    }
    firsts.sort(
      (a, b) =>
        Number(b.first.isBegun) - Number(a.first.isBegun) ||
        a.first.createdAt.getTime() - b.first.createdAt.getTime(),
    );
    const [chosen] = firsts;
    if (!chosen) return undefined;
    const { scope, first } = chosen;
    const until = standing.isStill
      ? new Date(now.getTime() + STILL_FOR)
      : first.isHeld
        ? lookAfter(now)
        : first.dueAt;
    if (standing.isStill || first.isHeld || first.dueAt > now) {
      for (const each of scopes) {
        await tx.enter(each);
        await tx.execute(POSTPONE, [workspaceId, each.environment, until]);
      }
      return undefined;
    }
    await tx.enter(scope);
    const [row] = await tx.query<TakenRow & Record<string, unknown>>(TAKE, [
      workspaceId,
      scope.environment,
      first.id,
      worker,
      lookAfter(now),
      now,
      standing.plan,
    ]);
    return row && { scope, job: jobOf(row) };
  }

  /** Locks a job until the transaction ends. @returns whether this process still has the claim. */
  async lock(tx: Transaction, scope: TenantScope, job: ClaimedImport): Promise<boolean> {
    const rows = await tx.query(`SELECT FROM import_jobs WHERE ${MINE} FOR NO KEY UPDATE`, mine(scope, job));
    return rows.length > 0;
  }

  /** Extends the claim on a job that waits for its source. @returns whether this process still has the claim. */
  async keep(tx: Transaction, scope: TenantScope, job: ClaimedImport, now: Date): Promise<boolean> {
    const changed = await tx.execute(`UPDATE import_jobs SET due_at = $5 WHERE ${MINE}`, [
      ...mine(scope, job),
      lookAfter(now),
    ]);
    return changed > 0;
  }

  /** Stores the progress of a locked job. @param workedMs milliseconds since the last time. */
  async store(
    tx: Transaction,
    scope: TenantScope,
    job: ClaimedImport,
    { checkpoint, standing, workedMs }: { checkpoint: Checkpoint; standing: Standing; workedMs: number },
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE import_jobs SET cursor = $5, imported = $6, failed = $7, total = $8, percent_complete = greatest(percent_complete, $9::real),
         created_contacts = $10, updated_contacts = $11, unsubscribed = $12, suppressed = $13, errors_kept = $14,
         rows_kept = $15, worked_ms = worked_ms + $16, due_at = $17, mistyped = $18, attempts = 0 WHERE ${MINE}`,
      [
        ...mine(scope, job),
        JSON.stringify(storedCheckpoint(checkpoint)),
        standing.imported,
        standing.failed,
        standing.total,
        standing.percentComplete,
        standing.createdContacts,
        standing.updatedContacts,
        standing.unsubscribed,
        standing.suppressed,
        standing.errorsKept,
        standing.rowsKept,
        Math.round(workedMs),
        lookAfter(now),
        standing.mistyped,
      ],
      'import-jobs-store',
    );
  }

  /** Ends a locked job that is done. Its total becomes the number that it has counted. */
  async complete(tx: Transaction, scope: TenantScope, job: ClaimedImport, now: Date): Promise<void> {
    await tx.execute(
      `UPDATE import_jobs SET status = 'completed', credentials = NULL, cursor = NULL, due_at = NULL, worker = NULL, attempts = 0, completed_at = $5,
         total = imported + failed, percent_complete = 100 WHERE ${MINE}`,
      [...mine(scope, job), now],
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
         attempts = 0, completed_at = $5, error_code = $6, error_detail = $7, forget_at = $8 WHERE ${MINE}`,
      [...mine(scope, job), now, code, detail, new Date(now.getTime() + FAILED_KNOWN_FOR)],
    );
    return changed > 0;
  }

  /** Releases a job regularly. It continues at the given time, and its attempts are reset. */
  async release(tx: Transaction, scope: TenantScope, job: ClaimedImport, dueAt: Date): Promise<void> {
    await tx.execute(`UPDATE import_jobs SET worker = NULL, due_at = $5, attempts = 0 WHERE ${MINE}`, [
      ...mine(scope, job),
      dueAt,
    ]);
  }

  /** Releases a job after an unexpected failure. It is retried at the given time, and the attempt counts. */
  async defer(tx: Transaction, scope: TenantScope, job: ClaimedImport, dueAt: Date): Promise<void> {
    await tx.execute(
      `UPDATE import_jobs SET worker = NULL, due_at = $5, attempts = greatest(attempts, 1) WHERE ${MINE}`,
      [...mine(scope, job), dueAt],
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

function mine({ workspaceId, environment }: TenantScope, { id, worker }: ClaimedImport): unknown[] {
  return [workspaceId, environment, id, worker];
}

function lookAfter(now: Date): Date {
  return new Date(now.getTime() + LOOK_AFTER);
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
}: TakenRow): ClaimedImport {
  const standing = { imported, failed, total, percentComplete, createdContacts, updatedContacts };
  return {
    ...job,
    checkpoint: checkpointIn(cursor),
    standing: { ...standing, unsubscribed, suppressed, mistyped, errorsKept, rowsKept },
  };
}
