/** The states of recipients of scheduled reports, by report and address. */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { StoredRecipient, StoredStatus } from '../domain/recipient-state.js';
import type { Report } from '../domain/report.js';

/** A recipient with the report that is mailed to it. */
export interface RecipientOfReport {
  readonly id: string;
  readonly address: string;
  readonly status: StoredStatus;
  readonly report: Pick<Report, 'id' | 'name' | 'createdBy' | 'visibility'>;
}

/**
 * For each new status, the current statuses that it does not replace. Only the recipient can confirm, so `confirmed`
 * replaces any.
 */
const OUTRANKED_BY: Readonly<Record<StoredStatus, readonly StoredStatus[]>> = {
  pending: [],
  confirmed: [],
  stopped: ['complained'],
  bounced: ['stopped', 'complained'],
  complained: ['stopped'],
};

const COLUMNS = `id, report_id AS "reportId", address, status, confirmations_sent AS "confirmationsSent",
  asked_at AS "askedAt", changed_at AS "changedAt"`;

interface Row {
  readonly id: string;
  readonly address: string;
  readonly status: StoredStatus;
  readonly r_id: string;
  readonly r_name: string;
  readonly r_by: string | null;
  readonly r_visibility: Report['visibility'];
  readonly [column: string]: unknown;
}

@Injectable()
export class ReportRecipientRepository {
  /** Returns all stored recipients of the reports, including past ones. */
  async ofReports(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    reportIds: readonly string[],
  ): Promise<StoredRecipient[]> {
    return tx.query<StoredRecipient & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM report_recipients WHERE workspace_id = $1 AND report_id = ANY ($2::uuid[])`,
      [workspaceId, reportIds],
      'report-recipients',
    );
  }

  /** Serializes callers that count and send the workspace's confirmation requests, until the transaction ends. */
  async lockConfirmations(tx: Transaction, { workspaceId }: WorkspaceScope): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `report confirmations ${workspaceId}`,
    ]);
  }

  /** Stores addresses that have no row yet. */
  async add(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    reportId: string,
    addresses: readonly string[],
    now: Date,
  ): Promise<void> {
    if (addresses.length === 0) return;
    await tx.execute(
      `INSERT INTO report_recipients (workspace_id, id, report_id, address, status, changed_at)
       SELECT $1, r.id, $2, r.address, 'pending', $3 FROM unnest($4::uuid[], $5::text[]) AS r(id, address)
       ON CONFLICT (workspace_id, report_id, address) DO NOTHING`,
      [workspaceId, reportId, now, addresses.map(() => uuidv7(now.getTime())), addresses],
    );
  }

  /** Records a confirmation request to each of the addresses. */
  async markConfirmationSent(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    reportId: string,
    addresses: readonly string[],
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE report_recipients SET confirmations_sent = confirmations_sent + 1, asked_at = $4
       WHERE workspace_id = $1 AND report_id = $2 AND address = ANY ($3::text[])`,
      [workspaceId, reportId, addresses, now],
    );
  }

  /** Sets bounced addresses back to pending. */
  async reopen(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    reportId: string,
    addresses: readonly string[],
    now: Date,
  ): Promise<void> {
    if (addresses.length === 0) return;
    await tx.execute(
      `UPDATE report_recipients SET status = 'pending', changed_at = $4
       WHERE workspace_id = $1 AND report_id = $2 AND address = ANY ($3::text[]) AND status = 'bounced'`,
      [workspaceId, reportId, addresses, now],
    );
  }

  /** Changes the status of a recipient. @returns false if it already has that status, or one that outranks it. */
  async change(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    id: string,
    status: StoredStatus,
    now: Date,
  ): Promise<boolean> {
    const changed = await tx.execute(
      `UPDATE report_recipients SET status = $3, changed_at = $4
       WHERE workspace_id = $1 AND id = $2 AND status <> $3 AND status <> ALL ($5::text[])`,
      [workspaceId, id, status, now, OUTRANKED_BY[status]],
    );
    return changed > 0;
  }

  /** Returns a recipient by id. */
  async find(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    id: string,
  ): Promise<RecipientOfReport | undefined> {
    return this.findOne(tx, 'c.id = $2', [workspaceId, id]);
  }

  /** Returns a recipient by report and address. */
  async findAddress(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    reportId: string,
    address: string,
  ): Promise<RecipientOfReport | undefined> {
    return this.findOne(tx, 'c.report_id = $2 AND c.address = $3', [workspaceId, reportId, address]);
  }

  /**
   * Deletes the recipients of a deleted report, except recipients that reported its mail as spam. @returns the ids of
   * all.
   */
  async deleteOf(tx: Transaction, { workspaceId }: WorkspaceScope, reportId: string): Promise<string[]> {
    const rows = await tx.query<{ id: string; status: StoredStatus }>(
      'SELECT id, status FROM report_recipients WHERE workspace_id = $1 AND report_id = $2',
      [workspaceId, reportId],
    );
    await tx.execute(
      `DELETE FROM report_recipients WHERE workspace_id = $1 AND report_id = $2 AND status <> 'complained'`,
      [workspaceId, reportId],
    );
    return rows.map(({ id }) => id);
  }

  /** Returns the addresses that have reported mail of any of the workspace's reports as spam. */
  async complainersAmong(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    addresses: readonly string[],
  ): Promise<string[]> {
    const rows = await tx.query<{ address: string }>(
      `SELECT DISTINCT address FROM report_recipients
       WHERE workspace_id = $1 AND address = ANY ($2::text[]) AND status = 'complained'`,
      [workspaceId, addresses],
    );
    return rows.map(({ address }) => address);
  }

  private async findOne(
    tx: Transaction,
    condition: string,
    values: readonly unknown[],
  ): Promise<RecipientOfReport | undefined> {
    const [row] = await tx.query<Row>(
      `SELECT c.id, c.address, c.status, r.id AS r_id, r.name AS r_name, r.created_by AS r_by, r.visibility AS r_visibility
       FROM report_recipients c JOIN reports r ON r.workspace_id = c.workspace_id AND r.id = c.report_id
       WHERE c.workspace_id = $1 AND ${condition}`,
      values,
    );
    if (!row) return undefined;
    const report = { id: row.r_id, name: row.r_name, createdBy: row.r_by, visibility: row.r_visibility };
    return { id: row.id, address: row.address, status: row.status, report };
  }
}
