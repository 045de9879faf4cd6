/** Runs as the worker sees them: which are due, which process has claimed them, and how they end. */
import { Injectable } from '@nestjs/common';
import { SECOND } from '../../../kernel/duration.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { ProcessLease } from '../../../platform/database/process-lease.js';
import { storableJson, storableText } from '../domain/findings/storable-text.js';
import type { ClaimedJob, InspectMode, JobResult } from '../domain/runs/inspect-job.js';

/** Milliseconds until another worker checks whether the process that makes a run is still alive. */
const CLAIM_CHECK_MS = 5 * SECOND;

/** A run stays with the process that claimed it as long as that process is alive, no matter how long it takes. */
const UNCLAIMED = `(status = 'queued' OR status = 'running' AND (worker IS NULL OR worker = $3 AND id <> ALL ($6::uuid[])
  OR ${ProcessLease.isExpiredSql('worker')}))`;

/** Claimed by process $3 since $5; to be checked at $4. */
const SET_CLAIMED = `status = 'running', worker = $3, due_at = $4, attempts = j.attempts + 1,
  started_at = coalesce(j.started_at, $5), progress = 0`;
const CLAIMED_FIELDS = `j.id, j.environment, j.template_id AS "templateId", j.template_slug AS "templateSlug",
  j.template_version AS "templateVersion", j.content, j.channel, j.mode, j.trigger, j.subject_given AS "subjectGiven",
  j.preheader, j.contact_id AS "contactId", j.credits_charged AS "creditsCharged", j.worker, j.attempts,
  j.created_at AS "createdAt"`;

/** The first due run that no process has claimed, provided that no run of its mode is claimed. */
const CLAIM = `
  WITH due AS (
    SELECT id FROM inspect_jobs
    WHERE workspace_id = $1 AND mode = $2 AND due_at <= $5 AND ${UNCLAIMED}
      AND NOT EXISTS (SELECT FROM inspect_jobs
        WHERE workspace_id = $1 AND mode = $2 AND due_at IS NOT NULL AND NOT ${UNCLAIMED})
    ORDER BY due_at, id LIMIT 1 FOR UPDATE)
  UPDATE inspect_jobs j SET ${SET_CLAIMED} FROM due WHERE j.workspace_id = $1 AND j.id = due.id RETURNING ${CLAIMED_FIELDS}`;

/** A run that is still claimed by the process that started it. */
const STILL_CLAIMED = `workspace_id = $1 AND id = $2 AND status = 'running' AND worker = $3 AND attempts = $4`;

@Injectable()
export class InspectWorkRepository {
  constructor(private readonly processLease: ProcessLease) {}

  /**
   * Claims the first due run, including that of a dead process; claims nothing while a run of the mode is claimed.
   * @param claimedIds the runs that this process has already claimed.
   */
  async claim(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    mode: InspectMode,
    now: Date,
    claimedIds: readonly string[],
  ): Promise<ClaimedJob | undefined> {
    const worker = await this.processLease.number();
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `inspect_claims ${workspaceId} ${mode}`,
    ]);
    const [claimed] = await tx.query<ClaimedJob & Record<string, unknown>>(CLAIM, [
      workspaceId,
      mode,
      worker,
      nextClaimCheck(now),
      now,
      claimedIds,
    ]);
    return claimed;
  }

  /**
   * Stores the progress of a run, in per cent.
   * @returns whether this process still holds its claim.
   */
  async progress(
    tx: Transaction,
    scope: WorkspaceScope,
    job: ClaimedJob,
    progress: number,
    now: Date,
  ): Promise<boolean> {
    const changed = await tx.execute(
      `UPDATE inspect_jobs SET progress = $5, due_at = $6 WHERE ${STILL_CLAIMED}`,
      [...claimParameters(scope, job), progress, nextClaimCheck(now)],
    );
    return changed > 0;
  }

  /**
   * Stores the result of a run.
   * @returns false if this process no longer holds its claim: nothing is stored.
   */
  async complete(
    tx: Transaction,
    scope: WorkspaceScope,
    job: ClaimedJob,
    { score, canSend, summary, checks }: JobResult,
    now: Date,
  ): Promise<boolean> {
    const changed = await tx.execute(
      `UPDATE inspect_jobs SET status = 'completed', progress = 100, content = NULL, due_at = NULL, worker = NULL, completed_at = $5,
         score = $6, can_send = $7, summary = $8, checks = $9 WHERE ${STILL_CLAIMED}`,
      [...claimParameters(scope, job), now, score, canSend, storableJson(summary), storableJson(checks)],
    );
    return changed > 0;
  }

  /**
   * Ends a run that failed permanently.
   * @returns its current charge; undefined if this process no longer holds its claim: nothing is stored.
   */
  async fail(
    tx: Transaction,
    scope: WorkspaceScope,
    job: ClaimedJob,
    error: string,
    now: Date,
  ): Promise<number | undefined> {
    const [failed] = await tx.query<{ creditsCharged: number }>(
      `UPDATE inspect_jobs SET status = 'failed', content = NULL, due_at = NULL, worker = NULL, completed_at = $5, error = $6
       WHERE ${STILL_CLAIMED} RETURNING credits_charged AS "creditsCharged"`,
      [...claimParameters(scope, job), now, storableText(error)],
    );
    return failed?.creditsCharged;
  }

  /** Releases a run that has hardly started because the process shuts down: the attempt does not count. */
  async release(tx: Transaction, scope: WorkspaceScope, job: ClaimedJob, now: Date): Promise<void> {
    await tx.execute(
      `UPDATE inspect_jobs SET status = 'queued', worker = NULL, due_at = $5, attempts = attempts - 1 WHERE ${STILL_CLAIMED}`,
      [...claimParameters(scope, job), now],
    );
  }

  /** Claims a run that is made immediately instead of waiting in a queue. */
  async claimById(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    id: string,
    now: Date,
  ): Promise<ClaimedJob | undefined> {
    const worker = await this.processLease.number();
    const [claimed] = await tx.query<ClaimedJob & Record<string, unknown>>(
      `UPDATE inspect_jobs j SET ${SET_CLAIMED} WHERE j.workspace_id = $1 AND j.id = $2 AND status = 'queued' RETURNING ${CLAIMED_FIELDS}`,
      [workspaceId, id, worker, nextClaimCheck(now), now],
    );
    return claimed;
  }

  /** Schedules another attempt of a run. */
  async defer(tx: Transaction, scope: WorkspaceScope, job: ClaimedJob, until: Date): Promise<void> {
    await tx.execute(
      `UPDATE inspect_jobs SET status = 'queued', worker = NULL, due_at = $5 WHERE ${STILL_CLAIMED}`,
      [...claimParameters(scope, job), until],
    );
  }
}

function claimParameters({ workspaceId }: WorkspaceScope, { id, worker, attempts }: ClaimedJob): unknown[] {
  return [workspaceId, id, worker, attempts];
}

function nextClaimCheck(now: Date): Date {
  return new Date(now.getTime() + CLAIM_CHECK_MS);
}
