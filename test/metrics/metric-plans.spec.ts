/**
 * Metrics are read from daily rollups. Rows are read only for the partial hours at both ends of a period, through
 * the existing indexes.
 */
import pg from 'pg';
import type { MetricQuery } from '../../src/modules/metrics/domain/metric-query.js';
import { answerSql } from '../../src/modules/metrics/persistence/sql/metric-sql.js';
import { inlineParameters, tenantSql } from '../../src/platform/database/reader-database.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { foldChanges } from '../support/folded-changes.js';
import { explaining, nodesOf, rowsSeen, type Explained, type PlanNode } from './query-plan.js';

const scope = { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea', environment: 'live' } as const;
/** One fact a minute for a hundred days. */
const COUNT = 144_000;
const MOMENT = `timestamptz '2026-01-01Z' + n * interval '1 minute'`;
const range = { from: new Date('2026-01-08T10:20:30Z'), to: new Date('2026-04-08T10:20:29.999Z') };

let database: TestDatabase;
let admin: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  await admin.query(
    `INSERT INTO flows (workspace_id, id, name, trigger_event, last_step_id, content_type, status, version, created_by, created_at, updated_at)
     SELECT $1, md5(n::text)::uuid, 'Flow ' || n, 'x', 0, 'promotional', 'active', 1, 'me', now(), now() FROM generate_series(0, 9) AS n`,
    [scope.workspaceId],
  );
  await admin.query(
    `INSERT INTO email_logs (workspace_id, id, origin, origin_id, origin_step, environment, source_id, contact_id, template_slug, content_type, priority,
       status, to_email, message_id, next_attempt_at, created_at, updated_at, sent_at)
     SELECT $1, gen_random_uuid(), 'direct', gen_random_uuid(), 0, 'live', md5((n % 10)::text)::uuid, $1, 'hello', 'promotional', 1, 'sent',
       'a@example.com', 'x', moment, moment, moment, moment
     FROM generate_series(1, ${COUNT}) AS n CROSS JOIN LATERAL (SELECT ${MOMENT} AS moment) AS m`,
    [scope.workspaceId],
  );
  await admin.query(
    `INSERT INTO trips (workspace_id, id, environment, flow_id, flow_version, contact_id, trigger_event_id, status, last_step, started_at, updated_at)
     SELECT $1, gen_random_uuid(), 'live', md5((n % 10)::text)::uuid, 1, $1, gen_random_uuid(), 'active', 0, moment, moment
     FROM generate_series(1, ${COUNT}) AS n CROSS JOIN LATERAL (SELECT ${MOMENT} AS moment) AS m`,
    [scope.workspaceId],
  );
  await admin.query(
    `INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at, processed_at)
     SELECT $1, gen_random_uuid(), 'live', 'p' || n, 'seen', '{}', moment, moment, moment
     FROM generate_series(1, ${COUNT}) AS n CROSS JOIN LATERAL (SELECT ${MOMENT} AS moment) AS m`,
    [scope.workspaceId],
  );
  await foldChanges(admin);
  await admin.query('VACUUM ANALYZE');
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

async function planOf(question: Omit<MetricQuery, 'filters' | 'range'>): Promise<PlanNode[]> {
  const { sql, values } = answerSql({ ...question, filters: [], range }, 1_001);
  const { rows } = await admin.query<Explained>(explaining(inlineParameters(tenantSql(scope, sql), values)));
  return nodesOf(rows);
}

/** Rows read from a table, including those that a filter discarded. */
function rowsRead(nodes: readonly PlanNode[], table: string): number {
  return nodes
    .filter((node) => node['Relation Name'] === table)
    .reduce((sum, node) => sum + rowsSeen(node), 0);
}

const indexesIn = (nodes: readonly PlanNode[]): (string | undefined)[] =>
  nodes.map((node) => node['Index Name']);
/** Facts in the partial hours at both ends of the period; each fact is in the middle of a minute. */
const EDGES = 60;

test.each(['date', 'flow'])('messages by %s', async (dimension) => {
  const nodes = await planOf({
    source: 'email_logs',
    metrics: ['sent', 'opened', 'open_rate'],
    dimensions: [dimension],
  });
  expect(rowsRead(nodes, 'email_logs')).toBeLessThanOrEqual(EDGES);
  expect(indexesIn(nodes)).toContain('email_logs_decided');
  // Ten flows: 89 days, and 23 hours of the days at both ends.
  expect(rowsRead(nodes, 'email_rollups')).toBeLessThanOrEqual(10 * (89 + 24));
});

test.each(['date', 'flow'])('trips by %s', async (dimension) => {
  const nodes = await planOf({
    source: 'flow_trips',
    metrics: ['entered', 'completion_rate'],
    dimensions: [dimension],
  });
  expect(rowsRead(nodes, 'trips')).toBeLessThanOrEqual(EDGES);
  expect(indexesIn(nodes)).toContain('trips_of_flow');
  expect(rowsRead(nodes, 'trip_rollups')).toBeLessThanOrEqual(10 * (89 + 24));
});

test('events by day', async () => {
  const nodes = await planOf({ source: 'events', metrics: ['events'], dimensions: ['date'] });
  // Ranges of pages are read completely: 16 pages hold about 1,500 rows, and each end is in at most two ranges.
  expect(rowsRead(nodes, 'events')).toBeLessThanOrEqual(COUNT / 10);
  expect(indexesIn(nodes)).toContain('events_occurred');
});
