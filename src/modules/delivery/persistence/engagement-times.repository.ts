/** Opens and clicks of a set of contacts, counted by weekday and hour. */
import { Injectable } from '@nestjs/common';
import { earliestId } from '../../../kernel/uuid.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { ReaderDatabase } from '../../../platform/database/reader-database.js';

/** The opens and clicks of one hour of the week. */
export interface EngagementHour {
  /** 0 is Monday. */
  readonly dayOfWeek: number;
  readonly hour: number;
  readonly opens: number;
  readonly clicks: number;
}

export interface EngagementTimes {
  /** How many contacts opened or clicked. */
  readonly contacts: number;
  /** Hours without opens and clicks are left out. */
  readonly hours: readonly EngagementHour[];
}

/** The contacts and the period to count. */
export interface EngagementTimesQuery {
  /** A condition on `c`, a row of contacts. Its parameters start at $1. */
  readonly people: { readonly sql: string; readonly values: readonly unknown[] };
  readonly from: Date;
  readonly to: Date;
  /** Messages created before this time are not read. */
  readonly madeFrom: Date;
  /** An IANA time zone. */
  readonly timezone: string;
}

@Injectable()
export class EngagementTimesRepository {
  constructor(private readonly reader: ReaderDatabase) {}

  /** Counts first opens and first clicks by people in a half-open period. Each message counts once. */
  async of(scope: TenantScope, query: EngagementTimesQuery): Promise<EngagementTimes> {
    const { people, from, to, madeFrom, timezone } = query;
    const next = people.values.length + 1;
    const [first, last, created, zone] = [0, 1, 2, 3].map((n) => `$${next + n}`);
    const engagementSql = (column: string, opens: number): string =>
      `SELECT l.contact_id, l.${column} AS at, ${opens} AS opens, ${1 - opens} AS clicks FROM {email_logs} l
       WHERE l.id >= ${created}::uuid AND l.${column} >= ${first}::timestamptz AND l.${column} < ${last}::timestamptz`;
    const rows = await this.reader.queryAll<EngagementHour & { readonly people: number }>(
      scope,
      `WITH told AS MATERIALIZED (
         SELECT t.contact_id, t.at AT TIME ZONE ${zone}::text AS at, t.opens, t.clicks
         FROM (${engagementSql('opened_at', 1)} UNION ALL ${engagementSql('clicked_at', 0)}) t
         WHERE t.contact_id IN (SELECT c.id FROM {contacts} c WHERE c.subscription_status <> 'deleted' AND ${people.sql}))
       SELECT extract(isodow FROM at)::int - 1 AS "dayOfWeek", extract(hour FROM at)::int AS hour,
         sum(opens)::int AS opens, sum(clicks)::int AS clicks, (SELECT count(DISTINCT contact_id)::int FROM told) AS people
       FROM told GROUP BY 1, 2 ORDER BY 1, 2`,
      [...people.values, from, to, earliestId(madeFrom), timezone],
    );
    return {
      contacts: rows[0]?.people ?? 0,
      hours: rows.map(({ people: _people, ...hour }) => hour),
    };
  }
}
