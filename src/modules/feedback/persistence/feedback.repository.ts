/** The queue of feedback about messages. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { FeedbackData } from '../domain/feedback.js';
import { recordOf, storedOf, type StoredFeedbackData } from './stored-feedback-data.js';

/** Feedback that waits to be processed. */
export interface PendingFeedback {
  readonly id: string;
  readonly type: string;
  readonly emailLogId: string;
  readonly facts: FeedbackData;
  readonly happenedAt: Date;
}

export interface NewFeedback extends PendingFeedback {
  readonly key: string;
}

@Injectable()
export class FeedbackRepository {
  constructor(private readonly database: Database) {}

  /** Stores feedback about a message durably. Returns false for a duplicate. */
  async insert(scope: TenantScope, feedback: NewFeedback, now: Date): Promise<boolean> {
    const rows = await this.database.runStatement<{ id: string }>(
      scope,
      `INSERT INTO feedback (workspace_id, environment, id, key, type, email_log_id, facts, happened_at, due_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (workspace_id, environment, key) DO NOTHING RETURNING id`,
      [
        scope.workspaceId,
        scope.environment,
        feedback.id,
        feedback.key,
        feedback.type,
        feedback.emailLogId,
        JSON.stringify(storedOf(feedback.facts)),
        feedback.happenedAt,
        now,
      ],
      'feedback-insert',
    );
    return rows.length > 0;
  }

  /** At most `limit` pieces of feedback that are due, oldest first, locked; those locked by others are skipped. */
  async pending(tx: Transaction, scope: TenantScope, limit: number, now: Date): Promise<PendingFeedback[]> {
    const rows = await tx.query<Omit<PendingFeedback, 'facts'> & { readonly facts: StoredFeedbackData }>(
      `SELECT id, type, email_log_id AS "emailLogId", facts, happened_at AS "happenedAt" FROM feedback
       WHERE workspace_id = $1 AND environment = $2 AND due_at <= $3 AND processed_at IS NULL
       ORDER BY due_at, id LIMIT $4 FOR UPDATE SKIP LOCKED`,
      [scope.workspaceId, scope.environment, now, limit],
      'feedback-pending',
    );
    return rows.map(({ facts, ...row }) => ({ ...row, facts: recordOf(facts) }));
  }

  /** Marks feedback as processed: its data is removed, and the row stays until `deleteAt` to detect duplicates. */
  async markProcessed(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    { now, deleteAt }: { readonly now: Date; readonly deleteAt: Date },
  ): Promise<void> {
    if (ids.length === 0) return;
    await tx.execute(
      `UPDATE feedback SET processed_at = $4, due_at = $5, facts = '{}'
       WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, ids, now, deleteAt],
      'feedback-processed',
    );
  }

  /** Postpones feedback. */
  async postpone(tx: Transaction, scope: TenantScope, ids: readonly string[], until: Date): Promise<void> {
    if (ids.length === 0) return;
    await tx.execute(
      `UPDATE feedback SET due_at = $4
       WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[]) AND processed_at IS NULL`,
      [scope.workspaceId, scope.environment, ids, until],
    );
  }

  /** Deletes at most `limit` expired pieces of feedback. Returns how many. */
  async deleteExpired(tx: Transaction, scope: TenantScope, limit: number, now: Date): Promise<number> {
    return tx.execute(
      `DELETE FROM feedback WHERE workspace_id = $1 AND id IN (
         SELECT id FROM feedback
         WHERE workspace_id = $1 AND environment = $2 AND due_at <= $3 AND processed_at IS NOT NULL
         ORDER BY due_at LIMIT $4 FOR UPDATE SKIP LOCKED)`,
      [scope.workspaceId, scope.environment, now, limit],
      'feedback-forget',
    );
  }

  /** Sets when unprocessed feedback is due next, null for never. @returns whether there is such feedback. */
  async setDue(tx: Transaction, scope: TenantScope, id: string, dueAt: Date | null): Promise<boolean> {
    const changed = await tx.execute(
      `UPDATE feedback SET due_at = $4
       WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND processed_at IS NULL`,
      [scope.workspaceId, scope.environment, id, dueAt],
    );
    return changed > 0;
  }

  /** Removes personal data from pending feedback; its effect on the message stays. */
  async anonymise(tx: Transaction, scope: TenantScope, contactId: string): Promise<number> {
    return tx.execute(
      `UPDATE feedback f SET facts = facts || '{"user_agent": null, "recipient": null}'
         || CASE WHEN facts -> 'bounce' IS DISTINCT FROM 'null' AND facts ? 'bounce'
              THEN jsonb_build_object('bounce', (facts -> 'bounce') || '{"detail": null}') ELSE '{}' END
       FROM email_logs l
       WHERE f.workspace_id = $1 AND f.environment = $2 AND f.processed_at IS NULL
         AND l.workspace_id = $1 AND l.contact_id = $3 AND l.environment = $2 AND l.id = f.email_log_id`,
      [scope.workspaceId, scope.environment, contactId],
    );
  }
}
