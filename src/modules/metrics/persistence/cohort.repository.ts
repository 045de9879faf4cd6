/**
 * Counts cohorts in PostgreSQL. One table has the day of creation and the activity of contacts, and is read once;
 * contacts themselves are read only for the first and last day of the range, if these are partial. Members by flow
 * entry or event are found in the source rows.
 */
import { Injectable } from '@nestjs/common';
import type { DateRange } from '../../../kernel/date-range.js';
import { DAY } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';
import { rejectIfTooCostly } from './reject-if-too-costly.js';
import {
  formatDay,
  type CohortCell,
  type CohortPeriod,
  type CohortQuery,
  type CohortReturn,
} from '../domain/cohort.js';
import type { Span } from '../domain/rollup.js';

/** A cell; or, if `active` is null, the size of a cohort. */
export interface CountedCell extends Omit<CohortCell, 'active'> {
  readonly active: string | null;
}

const ACTIVE_CONDITIONS: Readonly<Record<CohortReturn['by'], string>> = {
  event: 'a.events > 0',
  email_opened: 'a.opened > 0',
  email_clicked: 'a.clicked > 0',
  any: '(a.events > 0 OR a.opened > 0 OR a.clicked > 0)',
};

/** Whether to read daily or weekly activity rows. */
const ACTIVITY_LEVELS: Readonly<Record<CohortPeriod, number>> = { day: 0, week: 1, month: 0 };
/** The maximum number of days in a period. */
const MAX_PERIOD_DAYS: Readonly<Record<CohortPeriod, number>> = { day: 1, week: 7, month: 31 };

@Injectable()
export class CohortRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /**
   * Counts contacts created in the range and active, by the periods of both.
   * @param days the whole periods in which activity counts.
   */
  async createdAndActive(scope: TenantScope, query: CohortQuery, days: Span): Promise<CohortCell[]> {
    return this.run(scope, createdSql(query, days));
  }

  /** Counts sizes and cells of cohorts whose members come from source rows. */
  async ofMembers(scope: TenantScope, query: CohortQuery, days: Span): Promise<CountedCell[]> {
    return this.run(scope, membersSql(query, days));
  }

  /** @throws DomainError work_too_costly. */
  private run<Row extends object>(scope: TenantScope, { sql, values }: CohortStatement): Promise<Row[]> {
    return rejectIfTooCostly(
      this.reader.queryAll<Row>(scope, sql, values),
      'use a shorter range, fewer periods, or weeks',
    );
  }
}

/** A statement and its parameters. */
class StatementBuilder {
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  day(moment: Date): string {
    return this.add(formatDay(moment), 'date');
  }

  moment(moment: Date): string {
    return this.add(moment, 'timestamptz');
  }
}

interface CohortStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The first day of the period of a day, or of a timestamp without time zone. */
function periodStartSql(period: CohortPeriod, of: string): string {
  return `date_trunc('${period}', ${of})::date`;
}

function periodStartOfMomentSql(period: CohortPeriod, of: string): string {
  return periodStartSql(period, `${of} AT TIME ZONE 'UTC'`);
}

export function createdSql(
  { returns, period, periods, range }: CohortQuery,
  { from, until }: Span,
): CohortStatement {
  const statement = new StatementBuilder();
  const edges = edgesOf(range).map((edge) => ({
    day: `a.created_on = ${statement.day(edge.from)}`,
    within: `c.created_at >= ${statement.moment(edge.from)} AND c.created_at < ${statement.moment(edge.until)}`,
  }));
  const isEdge = edges.map(({ day }) => day).join(' OR ');
  const isWithin = edges.map(({ within }) => within).join(' OR ');
  // For all other contacts, the join key is null, so no lookup happens.
  const join = `LEFT JOIN (SELECT c.id FROM {contacts} AS c WHERE ${isWithin}) AS e
    ON e.id = CASE WHEN ${isEdge} THEN a.contact_id END`;
  const rows = `FROM {contact_activity} AS a ${edges.length > 0 ? join : ''}
    WHERE a.level = ${ACTIVITY_LEVELS[period]} AND a.start >= ${statement.day(from)} AND a.start < ${statement.day(until)}
      AND a.created_on >= ${statement.day(range.from)} AND a.created_on <= ${statement.day(range.to)}
      AND a.start < a.created_on + ${periods * MAX_PERIOD_DAYS[period]} AND ${ACTIVE_CONDITIONS[returns.by]}
      ${edges.length > 0 ? `AND (NOT (${isEdge}) OR e.id IS NOT NULL)` : ''}`;
  // A month has several rows per person, of which one counts.
  const people = `SELECT DISTINCT a.contact_id, a.created_on, ${periodStartSql('month', 'a.start::timestamp')} AS start ${rows}`;
  const counted =
    period === 'month'
      ? `SELECT d.created_on, d.start, count(*) AS people FROM (${people}) AS d GROUP BY 1, 2`
      : `SELECT a.created_on, a.start, count(*) AS people ${rows} GROUP BY 1, 2`;
  const sql = `SELECT ${periodStartSql(period, 'g.created_on::timestamp')}::text AS cohort, g.start::text AS active,
      sum(g.people)::float8 AS people FROM (${counted}) AS g GROUP BY 1, 2`;
  return { sql, values: statement.values };
}

export function membersSql(query: CohortQuery, days: Span): CohortStatement {
  const { period, periods } = query;
  const statement = new StatementBuilder();
  const sql = `
    WITH cohort_members AS MATERIALIZED (SELECT m.id, ${periodStartOfMomentSql(period, 'm.began_at')} AS cohort
      FROM (${membersOf(query, statement)}) AS m)
    SELECT m.cohort::text AS cohort, NULL AS active, count(*)::float8 AS people FROM cohort_members AS m GROUP BY 1
    UNION ALL
    SELECT m.cohort::text, w.start::text, count(*)::float8 FROM cohort_members AS m
    JOIN (${activeOf(query, days, statement)}) AS w
      ON w.id = m.id AND w.start >= m.cohort AND w.start < m.cohort + ${periods * MAX_PERIOD_DAYS[period]} GROUP BY 1, 2`;
  return { sql, values: statement.values };
}

/** Each person once, at the first matching moment in the range. */
function membersOf({ members, range }: CohortQuery, statement: StatementBuilder): string {
  const within = (moment: string): string =>
    `${moment} >= ${statement.moment(range.from)} AND ${moment} <= ${statement.moment(range.to)}`;
  switch (members.by) {
    case 'contact_created':
      return `SELECT c.id, c.created_at AS began_at FROM {contacts} AS c WHERE ${within('c.created_at')}`;
    case 'flow_entered':
      return `SELECT t.contact_id AS id, min(t.started_at) AS began_at FROM {trips} AS t
        WHERE t.flow_id = ${statement.add(members.flowId, 'uuid')} AND ${within('t.started_at')} GROUP BY 1`;
    case 'event':
      return `SELECT c.id, n.began_at FROM (
          SELECT e.external_id, min(e.occurred_at) AS began_at FROM {events} AS e
          WHERE e.event_name = ${statement.add(members.eventName, 'text')} AND e.processed_at IS NOT NULL
            AND ${within('e.occurred_at')} GROUP BY 1) AS n
        JOIN {contacts} AS c ON c.external_id = n.external_id`;
  }
}

/** Each person once per period. */
function activeOf(
  { returns, period }: CohortQuery,
  { from, until }: Span,
  statement: StatementBuilder,
): string {
  if (returns.by === 'event' && returns.eventName !== undefined)
    return `SELECT c.id, n.start FROM (
        SELECT DISTINCT e.external_id, ${periodStartOfMomentSql(period, 'e.occurred_at')} AS start FROM {events} AS e
        WHERE e.event_name = ${statement.add(returns.eventName, 'text')} AND e.processed_at IS NOT NULL
          AND e.occurred_at >= ${statement.moment(from)} AND e.occurred_at < ${statement.moment(until)}) AS n
      JOIN {contacts} AS c ON c.external_id = n.external_id`;
  const isMonth = period === 'month';
  return `SELECT ${isMonth ? 'DISTINCT ' : ''}a.contact_id AS id,
      ${isMonth ? periodStartSql('month', 'a.start::timestamp') : 'a.start'} AS start FROM {contact_activity} AS a
    WHERE a.level = ${ACTIVITY_LEVELS[period]} AND a.start >= ${statement.day(from)} AND a.start < ${statement.day(until)}
      AND ${ACTIVE_CONDITIONS[returns.by]}`;
}

/** The partial first and last days of the range, each with the span of it that belongs to the range. */
function edgesOf({ from, to }: DateRange): Span[] {
  const [start, end] = [from.getTime(), to.getTime() + 1];
  const days = new Set([Math.floor(start / DAY) * DAY, Math.floor((end - 1) / DAY) * DAY]);
  return [...days]
    .map((day) => ({ from: new Date(Math.max(start, day)), until: new Date(Math.min(end, day + DAY)) }))
    .filter((span) => span.until.getTime() - span.from.getTime() < DAY);
}
