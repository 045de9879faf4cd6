/** Stores report emails: one for each date of a report. */
import { Injectable } from '@nestjs/common';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { ComposedReportEmail } from '../domain/composed-report-email.js';
import type { Frequency } from '../domain/schedule.js';

/** A report email with the frequency of its schedule; null if the schedule no longer exists. */
export type StoredReportEmail = ComposedReportEmail & {
  readonly reportId: string;
  readonly frequency: Frequency | null;
};

@Injectable()
export class ReportEmailRepository {
  /** Stores the email of a date. @returns false if the date already has one. */
  async add(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    { id, reportId, dueAt, content }: NewReportEmail,
    now: Date,
  ): Promise<boolean> {
    const { subject, html, text, chart, csv, fileName } = content;
    const added = await tx.execute(
      `INSERT INTO report_letters (workspace_id, environment, id, report_id, due_at, subject, html, body_text, chart, csv, file_name, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (workspace_id, report_id, due_at) DO NOTHING`,
      [workspaceId, environment, id, reportId, dueAt, subject, html, text, chart, csv, fileName, now],
    );
    return added > 0;
  }

  async find(tx: Transaction, scope: TenantScope, id: string): Promise<StoredReportEmail | undefined> {
    const [stored] = await tx.query<StoredReportEmail & Record<string, unknown>>(
      `SELECT l.report_id AS "reportId", l.subject, l.html, l.body_text AS text, l.chart, l.csv, l.file_name AS "fileName", s.frequency
       FROM report_letters l LEFT JOIN report_schedules s ON s.workspace_id = l.workspace_id AND s.report_id = l.report_id
       WHERE l.workspace_id = $1 AND l.environment = $2 AND l.id = $3`,
      [scope.workspaceId, scope.environment, id],
    );
    return stored;
  }

  /** Returns the reports that have stored emails. */
  async reports(tx: Transaction, scope: TenantScope): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      'SELECT DISTINCT report_id AS id FROM report_letters WHERE workspace_id = $1 AND environment = $2',
      [scope.workspaceId, scope.environment],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes emails created before a moment, and all emails of the given reports created before a later one. */
  async sweep(
    tx: Transaction,
    scope: TenantScope,
    { before, reports, ofReportsBefore }: ReportEmailSweep,
  ): Promise<void> {
    await tx.execute(
      `DELETE FROM report_letters WHERE workspace_id = $1 AND environment = $2
         AND (created_at < $3 OR report_id = ANY ($4::uuid[]) AND created_at < $5)`,
      [scope.workspaceId, scope.environment, before, reports, ofReportsBefore],
    );
  }

  /** Deletes the emails of a report, so that no further mail can be created from them. */
  async deleteOf(tx: Transaction, scope: WorkspaceScope, reportId: string): Promise<void> {
    await tx.execute('DELETE FROM report_letters WHERE workspace_id = $1 AND report_id = $2', [
      scope.workspaceId,
      reportId,
    ]);
  }
}

export interface NewReportEmail {
  readonly id: string;
  readonly reportId: string;
  readonly dueAt: Date;
  readonly content: ComposedReportEmail;
}

export interface ReportEmailSweep {
  readonly before: Date;
  readonly reports: readonly string[];
  readonly ofReportsBefore: Date;
}
