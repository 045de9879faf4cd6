/** Schedules for the worker: joined with their report, by the time of the next check. */
import { Injectable } from '@nestjs/common';
import { camelKeys } from '../../../kernel/letter-case.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { DEFAULT_CONFIG, type Report, type ReportConfig } from '../domain/report.js';
import type { FormatOptions, ReportRecipient, ReportSchedule } from '../domain/schedule.js';

/** A schedule with the report that it mails. */
export interface Mailing {
  readonly schedule: ReportSchedule;
  readonly report: Report;
}

const SCHEDULE = `s.report_id AS "reportId", s.frequency, s.day_of_week AS "dayOfWeek", s.day_of_month AS "dayOfMonth", s.hour,
  s.timezone, s.date_range_type AS "dateRangeType", s.recipients, s.format_options AS "formatOptions",
  s.is_active AS "isActive", s.next_send_at AS "nextSendAt", s.last_sent_at AS "lastSentAt", s.created_at AS "createdAt",
  s.updated_at AS "updatedAt"`;
const REPORT = `r.id AS r_id, r.name AS r_name, r.description AS r_description, r.report_type AS r_type, r.visibility AS r_visibility,
  r.config AS r_config, r.is_template AS r_template, r.created_by AS r_by, r.version AS r_version, r.last_viewed_at AS r_viewed,
  r.created_at AS r_created, r.updated_at AS r_updated`;
const FROM = `FROM report_schedules s JOIN reports r ON r.workspace_id = s.workspace_id AND r.id = s.report_id
  WHERE s.workspace_id = $1 AND s.environment = $2`;

type Row = ReportSchedule & {
  readonly r_id: string;
  readonly r_name: string;
  readonly r_description: string | null;
  readonly r_type: Report['reportType'];
  readonly r_visibility: Report['visibility'];
  readonly r_config: object;
  readonly r_template: boolean;
  readonly r_by: string | null;
  readonly r_version: number;
  readonly r_viewed: Date | null;
  readonly r_created: Date;
  readonly r_updated: Date;
};

@Injectable()
export class ReportMailingRepository {
  /** Locks and returns the schedule that has been due longest; skips schedules that others have locked. */
  async due(tx: Transaction, scope: TenantScope, now: Date): Promise<Mailing | undefined> {
    const [row] = await tx.query<Row>(
      `SELECT ${SCHEDULE}, ${REPORT} ${FROM} AND s.look_at <= $3
       ORDER BY s.look_at LIMIT 1 FOR UPDATE OF s SKIP LOCKED`,
      [scope.workspaceId, scope.environment, now],
      'report-mailing-due',
    );
    return row && mailingOf(row);
  }

  /** Locks a schedule, and protects its report from changes; returns undefined if either is gone. */
  async find(tx: Transaction, scope: TenantScope, reportId: string): Promise<Mailing | undefined> {
    const [row] = await tx.query<Row>(
      `SELECT ${SCHEDULE}, ${REPORT} ${FROM} AND s.report_id = $3 FOR UPDATE OF s FOR SHARE OF r`,
      [scope.workspaceId, scope.environment, reportId],
      'report-mailing-find',
    );
    return row && mailingOf(row);
  }

  /** Sets the time of the next check; a paused schedule has none. @returns whether an active schedule exists. */
  async setNextCheck(
    tx: Transaction,
    scope: WorkspaceScope,
    reportId: string,
    at: Date | null,
  ): Promise<boolean> {
    const changed = await tx.execute(
      'UPDATE report_schedules SET look_at = $3 WHERE workspace_id = $1 AND report_id = $2 AND is_active',
      [scope.workspaceId, reportId, at],
    );
    return changed > 0;
  }

  /** Advances a schedule. @param lastSentAt null if nothing was sent. */
  async advance(
    tx: Transaction,
    scope: WorkspaceScope,
    reportId: string,
    { nextSendAt, lastSentAt, checkAt }: ScheduleAdvance,
  ): Promise<void> {
    await tx.execute(
      `UPDATE report_schedules SET next_send_at = $3, last_sent_at = coalesce($4, last_sent_at), look_at = $5
       WHERE workspace_id = $1 AND report_id = $2`,
      [scope.workspaceId, reportId, nextSendAt, lastSentAt, checkAt],
    );
  }

  /** Locks and returns the schedule of a report in either environment, if it is active and has no next check. */
  async findDeadLettered(
    tx: Transaction,
    scope: WorkspaceScope,
    reportId: string,
  ): Promise<ReportSchedule | undefined> {
    const [row] = await tx.query<ReportSchedule & Record<string, unknown>>(
      `SELECT ${SCHEDULE} FROM report_schedules s
       WHERE s.workspace_id = $1 AND s.report_id = $2 AND s.is_active AND s.look_at IS NULL FOR UPDATE`,
      [scope.workspaceId, reportId],
    );
    return row && scheduleOf(row);
  }
}

/** The dates of a schedule after a run. */
export interface ScheduleAdvance {
  readonly nextSendAt: Date;
  readonly lastSentAt: Date | null;
  readonly checkAt: Date;
}

function mailingOf(row: Row): Mailing {
  return {
    schedule: scheduleOf(row),
    report: {
      id: row.r_id,
      name: row.r_name,
      description: row.r_description,
      reportType: row.r_type,
      visibility: row.r_visibility,
      config: { ...DEFAULT_CONFIG, ...(camelKeys(row.r_config) as Partial<ReportConfig>) },
      isTemplate: row.r_template,
      createdBy: row.r_by,
      version: row.r_version,
      lastViewedAt: row.r_viewed,
      createdAt: row.r_created,
      updatedAt: row.r_updated,
    },
  };
}

function scheduleOf(row: ReportSchedule): ReportSchedule {
  const { reportId, frequency, dayOfWeek, dayOfMonth, hour, timezone, dateRangeType, isActive } = row;
  const { nextSendAt, lastSentAt, createdAt, updatedAt } = row;
  return {
    ...{ reportId, frequency, dayOfWeek, dayOfMonth, hour, timezone, dateRangeType, isActive },
    ...{ nextSendAt, lastSentAt, createdAt, updatedAt },
    recipients: row.recipients.map(({ email, name }): ReportRecipient => ({ email, name: name ?? null })),
    formatOptions: {
      ...{ chartImage: false, csvAttachment: false, kpiOnly: false },
      ...(camelKeys(row.formatOptions) as Partial<FormatOptions>),
    },
  };
}
