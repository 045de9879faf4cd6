/** Inserts reports with schedules as rows, the starting point of tests for report emails. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';

/** Differences from a daily report at nine in UTC to one address. */
export interface MailedReport {
  readonly name?: string;
  readonly config?: object;
  readonly visibility?: string;
  readonly createdBy?: string | null;
  readonly environment?: string;
  readonly frequency?: string;
  readonly dayOfWeek?: number | null;
  readonly dayOfMonth?: number | null;
  readonly hour?: number;
  readonly timezone?: string;
  readonly dateRangeType?: string;
  readonly recipients?: readonly { readonly email: string; readonly name?: string | null }[];
  readonly formatOptions?: object;
  readonly isActive?: boolean;
  /** Whether the recipients have confirmed; true by default. */
  readonly isConfirmed?: boolean;
}

const CONFIG = {
  ...{ data_source: 'email_logs', metrics: ['sent'], dimensions: ['date'], filters: [], chart_type: 'line' },
  ...{ comparison_enabled: false, date_range_default: '30d' },
};

/** Stores a report and its schedule with the given next date. @returns the report's id. */
export async function mailedReport(
  admin: pg.Client,
  workspaceId: string,
  nextSendAt: Date,
  over: MailedReport = {},
): Promise<string> {
  const id = randomUUID();
  const { name = 'Numbers', config = CONFIG, visibility = 'workspace', createdBy = null } = over;
  await admin.query(
    `INSERT INTO reports (workspace_id, id, name, report_type, visibility, config, created_by, created_at, updated_at)
     VALUES ($1, $2, $3, 'custom', $4, $5, $6, $7, $7)`,
    [workspaceId, id, name, visibility, config, createdBy, new Date(nextSendAt.getTime() - 86_400_000)],
  );
  const { environment = 'live', frequency = 'daily', dayOfWeek = null, dayOfMonth = null, hour = 9 } = over;
  const { timezone = 'UTC', dateRangeType = 'previous_day', isActive = true, formatOptions = {} } = over;
  const { recipients = [{ email: `${id}@example.com`, name: null }] } = over;
  await admin.query(
    `INSERT INTO report_schedules (workspace_id, report_id, environment, frequency, day_of_week, day_of_month, hour, timezone,
       date_range_type, recipients, format_options, is_active, next_send_at, look_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)`,
    [
      ...[workspaceId, id, environment, frequency, dayOfWeek, dayOfMonth, hour, timezone, dateRangeType],
      ...[JSON.stringify(recipients), formatOptions, isActive, nextSendAt, isActive ? nextSendAt : null],
      new Date(nextSendAt.getTime() - 86_400_000),
    ],
  );
  if (over.isConfirmed !== false)
    await admin.query(
      `INSERT INTO report_recipients (workspace_id, id, report_id, address, status, changed_at)
       SELECT DISTINCT ON (lower(trim(email))) $1::uuid, gen_random_uuid(), $2::uuid, lower(trim(email)), 'confirmed', $4::timestamptz
       FROM unnest($3::text[]) AS r(email)`,
      [workspaceId, id, recipients.map(({ email }) => email), nextSendAt],
    );
  return id;
}
