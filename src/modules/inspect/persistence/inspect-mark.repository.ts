/** Stores the marks of findings. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { FindingMark, MarkedFinding } from '../domain/findings/finding-mark.js';

export type ActiveMark = Pick<FindingMark, 'status' | 'markedAt'>;

@Injectable()
export class InspectMarkRepository {
  /** Marks a finding, replacing any earlier mark. */
  async upsert(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    { templateId, code, target }: MarkedFinding,
    { status, snoozedUntil, reason, markedBy, markedAt }: FindingMark,
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO inspect_marks (workspace_id, template_id, code, target, status, snoozed_until, reason, marked_by, marked_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (workspace_id, template_id, code, target) DO UPDATE SET status = excluded.status,
         snoozed_until = excluded.snoozed_until, reason = excluded.reason, marked_by = excluded.marked_by,
         marked_at = excluded.marked_at`,
      [workspaceId, templateId, code, target, status, snoozedUntil, reason, markedBy, markedAt],
    );
  }

  /**
   * Reopens findings of a run that were marked fixed before it: they have come back.
   * @param since when the run was requested; later marks stay.
   */
  async reopen(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    templateId: string,
    found: readonly Omit<MarkedFinding, 'templateId'>[],
    since: Date,
  ): Promise<void> {
    if (found.length === 0) return;
    await tx.execute(
      `DELETE FROM inspect_marks m USING unnest($3::text[], $4::text[]) AS f(code, target)
       WHERE m.workspace_id = $1 AND m.template_id = $2 AND m.code = f.code AND m.target = f.target
         AND m.status = 'fixed' AND m.marked_at <= $5`,
      [workspaceId, templateId, found.map(({ code }) => code), found.map(({ target }) => target), since],
    );
  }

  /** The marks of a template's findings that apply now, by `markKey`. */
  async active(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    templateId: string,
    now: Date,
  ): Promise<ReadonlyMap<string, ActiveMark>> {
    const rows = await tx.query<ActiveMark & { code: string; target: string }>(
      `SELECT code, target, status, marked_at AS "markedAt" FROM inspect_marks
       WHERE workspace_id = $1 AND template_id = $2 AND (status <> 'snoozed' OR snoozed_until > $3)`,
      [workspaceId, templateId, now],
    );
    return new Map(rows.map((row) => [markKey(row), row]));
  }

  /** Deletes the oldest marks of a template beyond the maximum number. */
  async trim(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    templateId: string,
    maxMarks: number,
  ): Promise<void> {
    await tx.execute(
      `DELETE FROM inspect_marks WHERE workspace_id = $1 AND template_id = $2 AND (code, target) IN (
         SELECT code, target FROM inspect_marks WHERE workspace_id = $1 AND template_id = $2
         ORDER BY marked_at DESC, code, target OFFSET $3)`,
      [workspaceId, templateId, maxMarks],
    );
  }

  async removeOfTemplate(tx: Transaction, scope: WorkspaceScope, templateId: string): Promise<void> {
    await tx.execute('DELETE FROM inspect_marks WHERE workspace_id = $1 AND template_id = $2', [
      scope.workspaceId,
      templateId,
    ]);
  }
}

/** The identity of a finding within its template. */
export function markKey({ code, target }: Omit<MarkedFinding, 'templateId'>): string {
  return `${code} ${target}`;
}
