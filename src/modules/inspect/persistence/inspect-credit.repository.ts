/** Stores credits: how many of a month are used, and every charge and refund. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { CreditEntry, NewCreditEntry } from '../domain/runs/credits.js';

@Injectable()
export class InspectCreditRepository {
  /** The credits used in a month. Locks the row: other callers wait until this transaction ends. */
  async lock(tx: Transaction, { workspaceId }: WorkspaceScope, month: string): Promise<number> {
    const [row] = await tx.query<{ used: number }>(
      `INSERT INTO inspect_credit_months AS m (workspace_id, month, since, used) VALUES ($1, $2::date, $2::timestamp AT TIME ZONE 'UTC', 0)
       ON CONFLICT (workspace_id, month) DO UPDATE SET used = m.used RETURNING used`,
      [workspaceId, month],
    );
    return row?.used ?? 0;
  }

  /** The credits used in a month, as far as committed. */
  async used(tx: Transaction, { workspaceId }: WorkspaceScope, month: string): Promise<number> {
    const [row] = await tx.query<{ used: number }>(
      'SELECT used FROM inspect_credit_months WHERE workspace_id = $1 AND month = $2',
      [workspaceId, month],
    );
    return row?.used ?? 0;
  }

  /** Whether a version is paid: more was charged for it than was refunded. */
  async isPaid(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    templateId: string,
    templateVersion: number,
  ): Promise<boolean> {
    const [row] = await tx.query<{ balance: number }>(
      `SELECT coalesce(sum(delta), 0)::int AS balance FROM inspect_credit_entries
       WHERE workspace_id = $1 AND template_id = $2 AND template_version = $3`,
      [workspaceId, templateId, templateVersion],
    );
    return (row?.balance ?? 0) < 0;
  }

  /** When the credit of a paid version was charged; undefined if the version is not paid. */
  async takenAt(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    templateId: string,
    templateVersion: number,
  ): Promise<Date | undefined> {
    const [row] = await tx.query<{ takenAt: Date }>(
      `SELECT created_at AS "takenAt" FROM inspect_credit_entries
       WHERE workspace_id = $1 AND template_id = $2 AND template_version = $3 AND delta < 0
       ORDER BY created_at DESC, id DESC LIMIT 1`,
      [workspaceId, templateId, templateVersion],
    );
    return row?.takenAt;
  }

  /** Charges a credit to a month whose row is locked. */
  async charge(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    month: string,
    entry: NewCreditEntry,
    now: Date,
  ): Promise<void> {
    await tx.execute(
      'UPDATE inspect_credit_months SET used = used + 1 WHERE workspace_id = $1 AND month = $2',
      [workspaceId, month],
    );
    await this.addEntry(tx, { workspaceId }, -1, entry, now);
  }

  /** Refunds a credit charged at that moment to its month, unless that month has been renewed since. */
  async refund(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    { month, takenAt }: { readonly month: string; readonly takenAt: Date },
    entry: NewCreditEntry,
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE inspect_credit_months SET used = greatest(used - 1, 0)
       WHERE workspace_id = $1 AND month = $2 AND since <= $3`,
      [workspaceId, month, takenAt],
    );
    await this.addEntry(tx, { workspaceId }, 1, entry, now);
  }

  /** Resets the counter of a month. */
  async renew(tx: Transaction, { workspaceId }: WorkspaceScope, month: string, now: Date): Promise<void> {
    await tx.execute(
      `INSERT INTO inspect_credit_months (workspace_id, month, since, used) VALUES ($1, $2, $3, 0)
       ON CONFLICT (workspace_id, month) DO UPDATE SET used = 0, since = excluded.since`,
      [workspaceId, month, now],
    );
  }

  /** The latest entries, newest first. */
  async ledger(tx: Transaction, { workspaceId }: WorkspaceScope, limit: number): Promise<CreditEntry[]> {
    return tx.query<CreditEntry & Record<string, unknown>>(
      `SELECT id, delta, reason, job_id AS "jobId", template_slug AS "templateSlug", template_version AS "templateVersion",
         created_at AS "createdAt"
       FROM inspect_credit_entries WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
      [workspaceId, limit],
    );
  }

  private async addEntry(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    delta: 1 | -1,
    { reason, jobId, templateId, templateSlug, templateVersion }: NewCreditEntry,
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO inspect_credit_entries
         (workspace_id, id, delta, reason, job_id, template_id, template_slug, template_version, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        workspaceId,
        uuidv7(now.getTime()),
        delta,
        reason,
        jobId,
        templateId,
        templateSlug,
        templateVersion,
        now,
      ],
    );
  }
}
