/** The reports of a workspace, the same in both environments, with their link and their schedule. */
import { Injectable } from '@nestjs/common';
import { camelKeys, type SnakeKeys } from '../../../kernel/letter-case.js';
import type { SortOrder } from '../../../kernel/page-cursor.js';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { ReportFilter, ReportOrder, ReportPage, ReportSort } from '../domain/report-filter.js';
import type { ReportRecord } from '../domain/report-record.js';
import type { Report } from '../domain/report.js';
import type { ReportSchedule } from '../domain/schedule.js';
import {
  configOf,
  formatOf,
  toStoredConfig,
  type StoredConfig,
  type StoredFormat,
} from '../domain/stored-report.js';
import { ReportEntity } from './report.entity.js';

/** What others are prevented from until the transaction ends: changing the report, or deleting it. */
export type ReportLock = 'change' | 'stay' | 'none';

const LOCKS: Readonly<Record<ReportLock, string>> = {
  change: 'FOR UPDATE OF r',
  stay: 'FOR SHARE OF r',
  none: '',
};

const FIELDS = `r.id, r.name, r.description, r.report_type AS "reportType", r.visibility, r.config, r.is_template AS "isTemplate",
  r.created_by AS "createdBy", r.version, r.last_viewed_at AS "lastViewedAt", r.created_at AS "createdAt",
  r.updated_at AS "updatedAt", l.expires_at AS "linkExpiresAt", l.created_at AS "linkCreatedAt", to_jsonb(s) AS schedule`;

const FROM = `FROM reports r
  LEFT JOIN report_shares l ON l.workspace_id = r.workspace_id AND l.report_id = r.id
  LEFT JOIN report_schedules s ON s.workspace_id = r.workspace_id AND s.report_id = r.id
  WHERE r.workspace_id = $1`;

/** The viewer's own reports; reports created with API keys belong to no member. */
const OWN = 'NOT r.is_template AND r.created_by IS NOT DISTINCT FROM $2::uuid';

const LIST_CONDITION = `(r.is_template OR r.visibility = 'workspace' OR ${OWN})
  AND CASE $3 WHEN 'mine' THEN ${OWN} WHEN 'shared' THEN l.report_id IS NOT NULL
    WHEN 'scheduled' THEN s.report_id IS NOT NULL ELSE true END
  AND ($4::text IS NULL OR r.report_type = $4) AND ($5::text IS NULL OR r.visibility = $5)
  AND ($6::uuid IS NULL OR r.created_by = $6)
  AND ($7::text IS NULL OR strpos(lower(r.name), lower($7)) > 0 OR strpos(lower(r.description), lower($7)) > 0)`;

const MOMENT = `coalesce(nullif($11::text, '')::timestamptz, '-infinity')`;

/** The sort expression of each order, and that of a position's key, the eleventh parameter. */
const ORDERS: Readonly<Record<ReportSort, { readonly by: string; readonly key: string }>> = {
  lastViewedAt: { by: `coalesce(r.last_viewed_at, '-infinity')`, key: MOMENT },
  updatedAt: { by: 'r.updated_at', key: MOMENT },
  createdAt: { by: 'r.created_at', key: MOMENT },
  name: { by: 'lower(r.name)', key: 'lower($11::text)' },
};
const AFTER_OPERATORS: Readonly<Record<SortOrder, string>> = { asc: '>', desc: '<' };

/** A schedule as JSON of its row. */
type ScheduleRow = Omit<SnakeKeys<ReportSchedule>, Moments | 'format_options'> &
  Readonly<Record<Exclude<Moments, 'last_sent_at'>, string>> & {
    readonly last_sent_at: string | null;
    readonly format_options: StoredFormat;
  };
type Moments = 'next_send_at' | 'last_sent_at' | 'created_at' | 'updated_at';

type ReportRow = Omit<Report, 'config'> & {
  readonly config: StoredConfig;
  readonly linkExpiresAt: Date | null;
  readonly linkCreatedAt: Date | null;
  readonly schedule: ScheduleRow | null;
};

/** The requested reports, and the viewer: a member's id, or null for an API key. */
export type ReportListFilter = Omit<ReportFilter, 'tab'> & {
  readonly tab: NonNullable<ReportFilter['tab']>;
  readonly memberId: string | null;
};

@Injectable()
export class ReportRepository {
  async find(
    tx: Transaction,
    { workspaceId }: WorkspaceScope,
    id: string,
    lock: ReportLock = 'none',
  ): Promise<ReportRecord | undefined> {
    const [row] = await tx.query<ReportRow>(
      `SELECT ${FIELDS} ${FROM} AND r.id = $2 ${LOCKS[lock]}`,
      [workspaceId, id],
      `report-find-${lock}`,
    );
    return row && recordOf(row);
  }

  /**
   * Returns a page of the reports that the viewer can see. Among equals, the older one comes first in ascending order.
   */
  async list(
    tx: Transaction,
    scope: WorkspaceScope,
    filter: ReportListFilter,
    { sortBy, sortDir }: ReportOrder,
    { limit, offset, after }: ReportPage,
  ): Promise<ReportRecord[]> {
    const { by, key } = ORDERS[sortBy];
    const rows = await tx.query<ReportRow>(
      `SELECT ${FIELDS} ${FROM} AND ${LIST_CONDITION} AND ($10::uuid IS NULL OR (${by}, r.id) ${AFTER_OPERATORS[sortDir]} (${key}, $10))
       ORDER BY ${by} ${sortDir}, r.id ${sortDir} LIMIT $8 OFFSET $9`,
      [...parametersOf(scope, filter), limit, offset, after?.id ?? null, after?.key ?? null],
    );
    return rows.map(recordOf);
  }

  /** Returns how many matching reports the viewer can see. */
  async count(tx: Transaction, scope: WorkspaceScope, filter: ReportListFilter): Promise<number> {
    const [row] = await tx.query<{ reports: number }>(
      `SELECT count(*)::int AS reports ${FROM} AND ${LIST_CONDITION}`,
      parametersOf(scope, filter),
      'reports-count',
    );
    return row?.reports ?? 0;
  }

  /** Makes others who create reports of the workspace wait until the transaction ends. */
  async lockAll(tx: Transaction, { workspaceId }: WorkspaceScope): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`reports ${workspaceId}`]);
  }

  /** Returns how many reports exist that users and API keys have created, regardless of who can see them. */
  async countOwn(tx: Transaction, { workspaceId }: WorkspaceScope): Promise<number> {
    return tx.manager.countBy(ReportEntity, { workspaceId, isTemplate: false });
  }

  async hasTemplates(tx: Transaction, { workspaceId }: WorkspaceScope): Promise<boolean> {
    return tx.manager.existsBy(ReportEntity, { workspaceId, isTemplate: true });
  }

  async insert(tx: Transaction, scope: WorkspaceScope, report: Report): Promise<void> {
    await tx.manager.insert(ReportEntity, rowOf(scope, report));
  }

  /** As `insert`, for templates; skips those that exist. */
  async insertTemplates(tx: Transaction, scope: WorkspaceScope, templates: readonly Report[]): Promise<void> {
    await tx.manager
      .createQueryBuilder()
      .insert()
      .into(ReportEntity)
      .values(templates.map((template) => rowOf(scope, template)))
      .orIgnore()
      .execute();
  }

  /** Stores a report that was read with a lock. */
  async store(tx: Transaction, scope: WorkspaceScope, report: Report): Promise<void> {
    const { workspaceId, id, name, description, reportType, visibility, config, version, updatedAt } = rowOf(
      scope,
      report,
    );
    const changing = { name, description, reportType, visibility, config, version, updatedAt };
    await tx.manager.update(ReportEntity, { workspaceId, id }, changing);
  }

  /** Records a view of a report. */
  async recordView(tx: Transaction, { workspaceId }: WorkspaceScope, id: string, at: Date): Promise<void> {
    await tx.manager.update(ReportEntity, { workspaceId, id }, { lastViewedAt: at });
  }

  /** Deletes a report that was read with a lock. */
  async delete(tx: Transaction, { workspaceId }: WorkspaceScope, id: string): Promise<void> {
    await tx.manager.delete(ReportEntity, { workspaceId, id });
  }
}

function parametersOf({ workspaceId }: WorkspaceScope, filter: ReportListFilter): unknown[] {
  const { memberId, tab, reportType, visibility, createdBy, search } = filter;
  return [
    ...[workspaceId, memberId, tab, reportType ?? null],
    ...[visibility ?? null, createdBy ?? null, search ?? null],
  ];
}

function rowOf({ workspaceId }: WorkspaceScope, report: Report) {
  const { id, name, description, reportType, visibility, isTemplate, createdBy } = report;
  const { version, lastViewedAt, createdAt, updatedAt } = report;
  return {
    ...{ workspaceId, id, name, description, reportType, visibility, isTemplate, createdBy },
    ...{ version, lastViewedAt, createdAt, updatedAt },
    config: { ...toStoredConfig(report.config) },
  };
}

function recordOf({ config, linkExpiresAt, linkCreatedAt, schedule, ...row }: ReportRow): ReportRecord {
  return {
    ...row,
    config: configOf(config),
    share: linkExpiresAt && linkCreatedAt && { expiresAt: linkExpiresAt, createdAt: linkCreatedAt },
    schedule: schedule && scheduleOf(schedule),
  };
}

/** Parses a schedule's row in JSON, in which timestamps are strings. */
function scheduleOf({ format_options: format, ...row }: ScheduleRow): ReportSchedule {
  const { reportId, frequency, dayOfWeek, dayOfMonth, hour, timezone, dateRangeType, ...rest } =
    camelKeys(row);
  const { recipients, isActive, nextSendAt, lastSentAt, createdAt, updatedAt } = rest;
  return {
    ...{ reportId, frequency, dayOfWeek, dayOfMonth, hour, timezone, dateRangeType, recipients, isActive },
    formatOptions: formatOf(format),
    nextSendAt: new Date(nextSendAt),
    lastSentAt: lastSentAt === null ? null : new Date(lastSentAt),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  };
}
