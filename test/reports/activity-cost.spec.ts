/** A page of a contact's timeline reads about a page of rows, regardless of the contact's history. */
import pg from 'pg';
import { ACTIVITY_KINDS, type ActivityKind } from '../../src/modules/reports/domain/activity.js';
import { activitySql } from '../../src/modules/reports/persistence/contact-activity.repository.js';
import { inlineParameters, tenantSql } from '../../src/platform/database/reader-database.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const scope = { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea', environment: 'live' } as const;
const contact = { id: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeeb', externalId: 'busy' };
const PAGE = 26;

let database: TestDatabase;
let admin: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  await admin.query(
    `INSERT INTO events (workspace_id, id, environment, external_id, event_name, attributes, occurred_at, received_at, processed_at)
     SELECT $1, gen_random_uuid(), 'live', CASE WHEN n % 2 = 0 THEN 'busy' ELSE 'c' || n END, 'seen', '{}', moment, moment, moment
     FROM generate_series(1, 200000) AS n CROSS JOIN LATERAL (SELECT timestamptz '2026-01-01Z' + n * interval '1 second' AS moment) AS m`,
    [scope.workspaceId],
  );
  await admin.query(
    `INSERT INTO email_logs (workspace_id, id, origin, origin_id, origin_step, environment, contact_id, template_slug, content_type, priority, status,
       message_id, next_attempt_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'direct', gen_random_uuid(), 0, 'live', $2, 'hello', 'transactional', 0, 'sent', 'x', moment, moment, moment
     FROM generate_series(1, 20000) AS n CROSS JOIN LATERAL (SELECT timestamptz '2026-01-01Z' + n * interval '1 second' AS moment) AS m`,
    [scope.workspaceId, contact.id],
  );
  await admin.query('ANALYZE events, email_logs');
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that a plan has read from tables. */
function rowsRead(node: PlanNode): number {
  const own = node['Relation Name'] ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0;
  return own + (node.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), 0);
}

async function cost(kind: ActivityKind, after: ActivityKind | undefined): Promise<number> {
  const at = new Date('2026-01-01T02:00:00.000Z');
  const place = after ? { at, kind: after, recordId: contact.id } : null;
  const { sql, values } = activitySql(kind, contact, PAGE, place);
  const { rows } = await admin.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${inlineParameters(tenantSql(scope, sql), values)}`,
  );
  return rowsRead(rows[0]!['QUERY PLAN'][0].Plan);
}

test.each(
  (['event', 'email'] as const).flatMap((kind) =>
    [undefined, ...ACTIVITY_KINDS].map((after) => [kind, after] as const),
  ),
)('a page of kind %s behind %s', async (kind, after) => {
  const read = await cost(kind, after);
  expect(read).toBeGreaterThanOrEqual(PAGE);
  // A few more for rows with equal times, or to skip the row at the cursor.
  expect(read).toBeLessThanOrEqual(PAGE + 4);
});
