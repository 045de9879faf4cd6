/** Stores runs: their data for display, and which of them are kept. */
import { Injectable } from '@nestjs/common';
import type { PageCursor } from '../../../kernel/page-cursor.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { InspectJob, InspectTrigger, NewInspectJob } from '../domain/runs/inspect-job.js';
import { InspectJobEntity } from './inspect-job.entity.js';

const FIELDS = `id, template_id AS "templateId", template_slug AS "templateSlug", template_version AS "templateVersion", channel, mode,
  trigger, subject_given AS "subjectGiven", status, progress, score, can_send AS "canSend", summary, checks,
  credits_charged AS "creditsCharged", error, created_at AS "createdAt", started_at AS "startedAt", completed_at AS "completedAt"`;

type VersionKey = Pick<InspectJob, 'templateId' | 'templateVersion'>;

/** A run that was deleted with its template. */
export type RemovedJob = VersionKey &
  Pick<InspectJob, 'id' | 'templateSlug' | 'mode' | 'status' | 'creditsCharged'>;

@Injectable()
export class InspectJobRepository {
  /** Serializes requests of a workspace until the transaction ends. */
  async lockRequests(tx: Transaction, { workspaceId }: WorkspaceScope): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`inspect_jobs ${workspaceId}`]);
  }

  async insert(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    job: NewInspectJob,
    now: Date,
  ): Promise<void> {
    await tx.manager.insert(InspectJobEntity, {
      ...job,
      workspaceId,
      contactGiven: job.contactId !== null,
      status: 'queued',
      checks: [],
      createdAt: now,
      dueAt: now,
    });
  }

  async find(tx: Transaction, scope: WorkspaceScope, id: string): Promise<InspectJob | undefined> {
    const [job] = await tx.query<InspectJob & Record<string, unknown>>(
      `SELECT ${FIELDS} FROM inspect_jobs WHERE workspace_id = $1 AND id = $2`,
      [scope.workspaceId, id],
    );
    return job;
  }

  /** Runs of a template after a cursor, newest first. */
  async ofTemplate(
    tx: Transaction,
    scope: WorkspaceScope,
    templateId: string,
    { limit, after }: { readonly limit: number; readonly after: PageCursor | null },
  ): Promise<InspectJob[]> {
    return tx.query<InspectJob & Record<string, unknown>>(
      `SELECT ${FIELDS} FROM inspect_jobs
       WHERE workspace_id = $1 AND template_id = $2 AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $5::uuid))
       ORDER BY created_at DESC, id DESC LIMIT $3`,
      [scope.workspaceId, templateId, limit, after?.key ?? null, after?.id ?? null],
    );
  }

  /** The number of runs of the workspace with this trigger that wait or are in progress. */
  async countUnfinished(tx: Transaction, scope: WorkspaceScope, trigger: InspectTrigger): Promise<number> {
    const [row] = await tx.query<{ jobs: number }>(
      `SELECT count(*)::int AS jobs FROM inspect_jobs
       WHERE workspace_id = $1 AND due_at IS NOT NULL AND trigger = $2`,
      [scope.workspaceId, trigger],
    );
    return row?.jobs ?? 0;
  }

  /** Whether a full run of a version has completed. */
  async hasCompleted(
    tx: Transaction,
    scope: WorkspaceScope,
    { templateId, templateVersion }: VersionKey,
  ): Promise<boolean> {
    const rows = await tx.query(
      `SELECT 1 FROM inspect_jobs WHERE workspace_id = $1 AND template_id = $2 AND template_version = $3 AND mode = 'full'
         AND status = 'completed' LIMIT 1`,
      [scope.workspaceId, templateId, templateVersion],
    );
    return rows.length > 0;
  }

  /**
   * Moves the charge of a run to another full run of the version that is in progress.
   * @returns whether there is one; if not, nothing changes.
   */
  async moveCharge(
    tx: Transaction,
    scope: WorkspaceScope,
    { id, templateId, templateVersion }: VersionKey & { readonly id: string },
  ): Promise<boolean> {
    const moved = await tx.execute(
      `UPDATE inspect_jobs SET credits_charged = 1 WHERE workspace_id = $1 AND id = (
         SELECT id FROM inspect_jobs WHERE workspace_id = $1 AND template_id = $2 AND template_version = $3
           AND mode = 'full' AND due_at IS NOT NULL AND id <> $4 ORDER BY created_at, id LIMIT 1 FOR UPDATE)`,
      [scope.workspaceId, templateId, templateVersion, id],
    );
    if (moved === 0) return false;
    await tx.execute('UPDATE inspect_jobs SET credits_charged = 0 WHERE workspace_id = $1 AND id = $2', [
      scope.workspaceId,
      id,
    ]);
    return true;
  }

  /** Deletes the runs of a template's saved versions that have not started: a newer version replaces them. */
  async dropQueuedSaves(tx: Transaction, scope: WorkspaceScope, templateId: string): Promise<void> {
    await tx.execute(
      `DELETE FROM inspect_jobs WHERE workspace_id = $1 AND template_id = $2 AND status = 'queued'
         AND trigger = 'save' AND due_at IS NOT NULL`,
      [scope.workspaceId, templateId],
    );
  }

  /** The ended runs of a template after the latest ones that are kept, newest first. */
  async endedBeyond(
    tx: Transaction,
    scope: WorkspaceScope,
    templateId: string,
    { retained, limit }: { readonly retained: number; readonly limit: number },
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM inspect_jobs WHERE workspace_id = $1 AND template_id = $2 AND due_at IS NULL
       ORDER BY created_at DESC, id DESC OFFSET $3 LIMIT $4`,
      [scope.workspaceId, templateId, retained, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** The ended runs of the workspace after the latest ones that are kept, newest first. */
  async endedOfAllBeyond(
    tx: Transaction,
    scope: WorkspaceScope,
    { retained, limit }: { readonly retained: number; readonly limit: number },
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM inspect_jobs WHERE workspace_id = $1 AND due_at IS NULL
       ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT $3`,
      [scope.workspaceId, retained, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes runs. Their findings and screenshots must already be deleted. */
  async remove(tx: Transaction, scope: WorkspaceScope, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await tx.execute('DELETE FROM inspect_jobs WHERE workspace_id = $1 AND id = ANY ($2::uuid[])', [
      scope.workspaceId,
      ids,
    ]);
  }

  /**
   * Deletes all runs of a template.
   * @returns the deleted runs.
   */
  async removeOfTemplate(tx: Transaction, scope: WorkspaceScope, templateId: string): Promise<RemovedJob[]> {
    return tx.query<RemovedJob & Record<string, unknown>>(
      `DELETE FROM inspect_jobs WHERE workspace_id = $1 AND template_id = $2
       RETURNING id, template_id AS "templateId", template_slug AS "templateSlug", template_version AS "templateVersion",
         mode, status, credits_charged AS "creditsCharged"`,
      [scope.workspaceId, templateId],
    );
  }
}
