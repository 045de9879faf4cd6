/** Totals of messages, trips, steps and new contacts for a period, each in one statement. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { integerArray, uuidArray } from '../../../platform/database/array-parameters.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';
import type { Measure } from '../domain/catalogue/source.js';
import type { EmailSelection, TripCounts } from '../domain/period-totals.js';
import type { EmailCounts } from '../domain/rates.js';
import type { PeriodParts } from '../domain/rollup.js';
import { measuredSql } from './sql/source-sql.js';
import { periodRows, periodValues } from './period-rows.js';

type Keyed<Counts> = Counts & { readonly key: string };

const SELECTION = (alias: string): string =>
  `($7::uuid[] IS NULL OR ${alias}.source_id = ANY ($7::uuid[])) AND ($8::text IS NULL OR ${alias}.template_slug = $8)`;
const NO_SOURCE_ID = `'00000000-0000-0000-0000-000000000000'::uuid`;
const EMAIL_COUNTERS = ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'] as const;

const measuredCountSql = (name: string, sum: string, by: Measure): string =>
  `coalesce(sum(${sum}) FILTER (WHERE ${measuredSql(by, 's.tracked', 's.at')}), 0)::float8 AS "${name}"`;
const MEASURED_COUNTS = [
  measuredCountSql('deliveriesOf', 's.messages', 'deliveries'),
  measuredCountSql('opensOf', 's.messages - s.bounced', 'opens'),
  measuredCountSql('opensIn', 's.opened', 'opens'),
  measuredCountSql('clicksOf', 's.messages - s.bounced', 'clicks'),
  measuredCountSql('clicksIn', 's.clicked', 'clicks'),
  measuredCountSql('bothOf', 's.opened', 'opens_and_clicks'),
  measuredCountSql('bothIn', 's.clicked', 'opens_and_clicks'),
].join(', ');

const EMAILS = `
  SELECT s.source_id AS key, sum(s.messages)::float8 AS sent,
    ${EMAIL_COUNTERS.map((counter) => `sum(s.${counter})::float8 AS ${counter}`).join(', ')}, ${MEASURED_COUNTS}
  FROM (${periodRows({
    rollup: 'email',
    columns: ['source_id', 'tracked', 'at', 'messages', ...EMAIL_COUNTERS],
    where: `r.status = 'sent' AND ${SELECTION('r')}`,
    rest: `SELECT coalesce(l.source_id, ${NO_SOURCE_ID}), l.tracked, email_decided_at(l.status, l.sent_at, l.updated_at), 1, ${EMAIL_COUNTERS.map((counter) => `f.${counter}`).join(', ')}
      FROM {spans} JOIN {email_logs} AS l ON l.status IN ('sent', 'suppressed', 'failed')
        AND email_decided_at(l.status, l.sent_at, l.updated_at) >= p.since
        AND email_decided_at(l.status, l.sent_at, l.updated_at) < p.until AND l.status = 'sent' AND ${SELECTION('l')}
      CROSS JOIN LATERAL email_fact(l.status, l.to_email, l.delivered_at, l.opened_at, l.clicked_at, l.bounced_at,
        l.bounce_kind, l.complained_at, l.unsubscribed_at) AS f`,
  })}) AS s GROUP BY s.source_id`;

const TRIPS = `
  SELECT s.flow_id AS key, sum(s.trips)::float8 AS entered,
    coalesce(sum(s.trips) FILTER (WHERE s.status = 'completed'), 0)::float8 AS completed, sum(s.converted)::float8 AS converted
  FROM (${periodRows({
    rollup: 'trip',
    columns: ['flow_id', 'status', 'trips', 'converted'],
    where: 'r.flow_id = ANY ($7::uuid[])',
    rest: `SELECT t.flow_id, t.status, 1, t.converted::int FROM {spans} JOIN {trips} AS t
      ON t.flow_id = ANY ($7::uuid[]) AND t.started_at >= p.since AND t.started_at < p.until`,
  })}) AS s GROUP BY s.flow_id`;

const STEPS = `
  SELECT s.step_id AS key, sum(s.trips)::float8 AS reached
  FROM (${periodRows({
    rollup: 'step',
    columns: ['step_id', 'trips'],
    where: 'r.flow_id = $7::uuid AND r.step_id = ANY ($8::int[])',
    rest: `SELECT w.step, 1 FROM {spans} JOIN {trips} AS t
        ON t.flow_id = $7::uuid AND t.started_at >= p.since AND t.started_at < p.until
      CROSS JOIN LATERAL trail_steps(t.trail) AS w(step) WHERE w.step = ANY ($8::int[])`,
  })}) AS s GROUP BY s.step_id`;

const CREATED = `
  SELECT (s.at AT TIME ZONE 'UTC')::date::text AS key, sum(s.created)::float8 AS created
  FROM (${periodRows({
    rollup: 'contact',
    columns: ['at', 'created'],
    where: 'true',
    rest: `SELECT c.created_at, 1 FROM {spans} JOIN {contacts} AS c ON c.created_at >= p.since AND c.created_at < p.until`,
  })}) AS s GROUP BY 1 HAVING sum(s.created) <> 0`;

@Injectable()
export class PeriodTotalsRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /** Returns messages sent in the period by source; those without a source under the nil UUID. */
  async emails(
    scope: TenantScope,
    { sourceIds, templateSlug }: EmailSelection,
    parts: PeriodParts,
  ): Promise<Keyed<EmailCounts>[]> {
    const ids = sourceIds === undefined ? null : uuidArray(sourceIds);
    return this.reader.query(scope, EMAILS, [...periodValues(parts), ids, templateSlug ?? null]);
  }

  /** Returns trips of the flows that started in the period, by flow. */
  async trips(
    scope: TenantScope,
    flowIds: readonly string[],
    parts: PeriodParts,
  ): Promise<Keyed<TripCounts>[]> {
    return this.reader.query(scope, TRIPS, [...periodValues(parts), uuidArray(flowIds)]);
  }

  /** Returns how many trips of the flow that started in the period reached each of the steps. */
  async steps(
    scope: TenantScope,
    flowId: string,
    stepIds: readonly number[],
    parts: PeriodParts,
  ): Promise<{ readonly key: number; readonly reached: number }[]> {
    return this.reader.query(scope, STEPS, [...periodValues(parts), flowId, integerArray(stepIds)]);
  }

  /** Returns how many contacts were created in the period, by UTC day. */
  async created(
    scope: TenantScope,
    parts: PeriodParts,
  ): Promise<{ readonly key: string; readonly created: number }[]> {
    return this.reader.query(scope, CREATED, periodValues(parts));
  }
}
