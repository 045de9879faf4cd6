/**
 * The migrated database matches the entities, and every table isolates tenants. The test reads the tables from the
 * catalogue, so that it covers those that later migrations add.
 */
import pg from 'pg';
import { DataSource } from 'typeorm';
import { adminOptions, appOptions, dispatchPool } from '../../src/platform/database/data-source.js';
import { makeLogger } from '../../src/platform/logging/logger.js';
import { Database } from '../../src/platform/database/database.js';
import {
  APP_ROLE,
  DISPATCH_ROLE,
  QUEUE_ROLE,
  READER_ROLE,
  SERVICE_ROLES,
  urlAs,
} from '../../src/platform/database/roles.js';
import { READABLE_TABLES } from '../../src/platform/database/reader-database.js';
import { PERSONAL_DATA } from '../../src/processes/personal-data.js';
import { SCHEMA } from '../../src/processes/schema.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { rowOf } from '../support/rows.js';

const A = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';
const B = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeeb';

let database: TestDatabase;
let admin: pg.Client;
let source: DataSource;
let work: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  source = await new DataSource(appOptions(database.adminUrl, SCHEMA, 4)).initialize();
  work = new Database(source, dispatchPool(database.adminUrl), makeLogger('schema', 'silent'));
});

afterAll(async () => {
  await work.onApplicationShutdown();
  await source.destroy();
  await admin.end();
  await database.drop();
});

/** Every table with tenants' rows: those with a workspace_id, and the workspaces. */
async function tenantTables(): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND (c.relname = 'workspaces' OR EXISTS (
       SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped))
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

test('entities and migrations describe the same tables', async () => {
  const drift = await new DataSource(adminOptions(database.adminUrl, SCHEMA)).initialize();
  const { upQueries } = await drift.driver.createSchemaBuilder().log();
  await drift.destroy();
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});

test('only the tables that are known to hold no tenant rows are without a workspace', async () => {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const tenant = await tenantTables();
  expect(rows.map(({ name }) => name).filter((name) => !tenant.includes(name))).toEqual([
    'process_lives',
    'product_clock',
    'rate_windows',
    'refusal_keys',
    'schema_migrations',
    'stray_billing_events',
  ]);
});

test('every tenant table forces row-level security, on reads and on writes', async () => {
  const { rows } = await admin.query<{ name: string; enabled: boolean; forced: boolean; guarded: boolean }>(
    `SELECT c.relname AS name, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
       EXISTS (SELECT 1 FROM pg_policies p WHERE p.tablename = c.relname AND p.policyname = 'tenant'
         AND p.cmd = 'ALL' AND p.qual IS NOT NULL AND p.with_check IS NOT NULL AND p.roles = '{${APP_ROLE}}') AS guarded
     FROM pg_class c WHERE c.relname = ANY ($1) AND c.relkind IN ('r', 'p') ORDER BY 1`,
    [await tenantTables()],
  );
  expect(rows.length).toBeGreaterThanOrEqual(12);
  for (const row of rows) expect(row).toEqual({ name: row.name, enabled: true, forced: true, guarded: true });
});

test('keys of tenant tables start with the workspace', async () => {
  const { rows } = await admin.query<{ name: string; first: string }>(
    `SELECT c.relname AS name, a.attname AS first FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
     WHERE i.indisprimary AND c.relname = ANY ($1) AND c.relname <> 'workspaces'`,
    [await tenantTables()],
  );
  expect(rows.length).toBeGreaterThanOrEqual(11);
  for (const { name, first } of rows) expect([name, first]).toEqual([name, 'workspace_id']);
});

test('the roles of the service own nothing and may not pass the policies', async () => {
  const { rows } = await admin.query(
    `SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
       (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid AND relkind <> 'S') AS owned
     FROM pg_roles r WHERE rolname = ANY ($1) ORDER BY 1`,
    [SERVICE_ROLES],
  );
  const harmless = {
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcreatedb: false,
    owned: 0,
  };
  expect(rows).toEqual([
    { rolname: APP_ROLE, ...harmless },
    { rolname: DISPATCH_ROLE, ...harmless },
    { rolname: QUEUE_ROLE, ...harmless },
    { rolname: READER_ROLE, ...harmless },
  ]);
});

test('the dispatcher sees no column that could hold personal data', async () => {
  const { rows } = await admin.query<{ column: string }>(
    `SELECT DISTINCT column_name AS column FROM information_schema.column_privileges
     WHERE grantee = '${DISPATCH_ROLE}' AND table_schema = 'public' ORDER BY 1`,
  );
  expect(rows.map(({ column }) => column)).toEqual([
    'check_at',
    'contacts',
    'deletion_at',
    'deletion_begun_at',
    'deletion_retry_at',
    'due_at',
    'environment',
    'event_id',
    'events',
    'expires_at',
    'failure',
    'fetched_at',
    'forget_at',
    'former_plans',
    'id',
    'kind',
    'limit_type',
    'look_at',
    'maximum',
    'mode',
    'month',
    'name',
    'next_attempt_at',
    'payment_customer_id',
    'payment_subscription_id',
    'plan',
    'plan_changed_at',
    'priority',
    'processed_at',
    'received_at',
    'refresh_at',
    'reset_at',
    'resume_at',
    'sender',
    'since',
    'size',
    'status',
    'subject_id',
    'threshold',
    'touched_at',
    'used',
    'workspace_id',
  ]);
});

test('the reader of whole tenants reads what surveys may name, and writes nothing', async () => {
  const { rows } = await admin.query<{ table: string; privilege: string }>(
    `SELECT table_name AS table, privilege_type AS privilege FROM information_schema.table_privileges
     WHERE grantee = '${READER_ROLE}' ORDER BY 1, 2`,
  );
  expect(rows).toEqual([...READABLE_TABLES].sort().map((table) => ({ table, privilege: 'SELECT' })));
});

/**
 * Audit evidence: the service inserts and reads rows and never updates them. It deletes them only with their
 * workspace.
 */
const APPEND_ONLY = ['audit_log', 'preference_changes'];

test('evidence is only ever added to', async () => {
  const { rows } = await admin.query<{ table: string; privileges: string[] }>(
    `SELECT table_name AS table, array_agg(privilege_type::text ORDER BY privilege_type) AS privileges
     FROM information_schema.table_privileges
     WHERE grantee = '${APP_ROLE}' AND table_schema = 'public' AND table_name = ANY ($1) GROUP BY 1`,
    [APPEND_ONLY],
  );
  expect(rows).toEqual(APPEND_ONLY.map((table) => ({ table, privileges: ['DELETE', 'INSERT', 'SELECT'] })));
  const { rows: bounds } = await admin.query<{ table: string; bound: string }>(
    `SELECT tablename AS table, qual AS bound FROM pg_policies
     WHERE cmd = 'DELETE' AND permissive = 'RESTRICTIVE' AND '${APP_ROLE}' = ANY (roles) ORDER BY 1`,
  );
  expect(bounds).toEqual(
    APPEND_ONLY.map((table) => ({ table, bound: expect.stringContaining('deletion_begun_at IS NOT NULL') })),
  );
});

/** Columns that identify a person. */
const PERSONAL_COLUMN =
  '(^|_)(contact(_id)?|person|external_id|e?mail|address|phone|first_name|last_name|recipient)$';

/** Tables with such columns that an erasure does not reach, with the reason. */
const NOT_ERASED: Readonly<Record<string, string>> = {
  campaign_addresses: 'keyed digests of addresses',
  campaign_recipients: 'only the id of the contact, which identifies no one after the erasure',
  campaigns: 'the address of the sender, not of a contact',
  contact_activity: 'only the id of the contact, which identifies no one after the erasure',
  contact_turns: 'only the id of the contact, which identifies no one after the erasure',
  contacts: 'ContactStore erases the record itself, after all other tables',
  erased_contacts: 'keyed digests of the former names, stored by the erasure',
  event_people: 'digests of external ids, so that each person still counts once',
  members: 'the people of the workspace, not its contacts',
  notices: 'mail to the people of the workspace, not to its contacts',
  preference_changes: 'evidence that names only the id of the contact',
  report_recipients: 'recipients of reports, not contacts',
};

describe('an erasure', () => {
  const reached = PERSONAL_DATA.flatMap((erasure) =>
    erasure.tables.filter(
      (table) => 'erase' in erasure || new RegExp(`\\b(UPDATE|DELETE FROM) ${table}\\b`).test(erasure.sql),
    ),
  );

  test('reaches every table with personal data, but those that may keep it', async () => {
    const { rows } = await admin.query<{ name: string }>(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name ~ $1 ORDER BY 1`,
      [PERSONAL_COLUMN],
    );
    const missed = rows.map(({ name }) => name).filter((name) => !reached.includes(name));
    expect(missed).toEqual(Object.keys(NOT_ERASED));
  });

  test('names tables that exist', async () => {
    const tables = await tenantTables();
    expect(
      PERSONAL_DATA.flatMap((erasure) => erasure.tables).filter((name) => !tables.includes(name)),
    ).toEqual([]);
  });
});

/** Rows that belong to the workspace and refer to one of its environments. */
const OF_BOTH = ['api_keys', 'inspect_jobs', 'report_schedules', 'report_shares'];

describe('for every tenant table', () => {
  test('no scope reads no row, a foreign scope reads and writes none, its own scope does both', async () => {
    for (const table of await tenantTables()) {
      const key = table === 'workspaces' ? 'id' : 'workspace_id';
      const row = await rowOf(admin, table, { [key]: A });
      const columns = Object.keys(row);
      const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, i) => `$${i + 1}`).join(', ')})`;
      const scope = { workspaceId: A, environment: 'live' as const };
      const foreign = { workspaceId: B, environment: 'live' as const };

      // Neither a foreign scope nor a missing scope can write the row.
      await expect(work.inScope(foreign, (tx) => tx.execute(insert, Object.values(row)))).rejects.toThrow(
        /row-level security/,
      );
      const bare = new pg.Client({ connectionString: urlAs(APP_ROLE, database.adminUrl) });
      await bare.connect();
      await expect(bare.query(insert, Object.values(row))).rejects.toThrow(/row-level security/);

      // The row's own scope can.
      expect([table, await work.inScope(scope, (tx) => tx.execute(insert, Object.values(row)))]).toEqual([
        table,
        1,
      ]);

      // Reads, updates and deletes affect no row without a scope or in a foreign one, and the row in its own
      // scope.
      const update = `UPDATE ${table} SET ${key} = ${key}`;
      const remove = `DELETE FROM ${table}`;
      const isKept = APPEND_ONLY.includes(table);
      expect([table, (await bare.query(`SELECT * FROM ${table}`)).rowCount]).toEqual([table, 0]);
      for (const change of [update, remove])
        if (isKept && change === update)
          await expect(bare.query(change)).rejects.toThrow(/permission denied/);
        else expect([table, (await bare.query(change)).rowCount]).toEqual([table, 0]);
      await bare.end();
      await work.inScope(foreign, async (tx) => {
        expect([table, await tx.query(`SELECT * FROM ${table}`)]).toEqual([table, []]);
        if (!isKept) expect([table, await tx.execute(update)]).toEqual([table, 0]);
        expect([table, await tx.execute(remove)]).toEqual([table, 0]);
      });
      expect([table, (await work.inScope(scope, (tx) => tx.query(`SELECT * FROM ${table}`))).length]).toEqual(
        [table, 1],
      );
      // A row cannot move to another tenant, and evidence cannot be changed while its workspace exists.
      await expect(
        work.inScope(scope, (tx) => tx.execute(`UPDATE ${table} SET ${key} = $1`, [B])),
      ).rejects.toThrow(isKept ? /permission denied/ : /row-level security/);
      if (isKept) expect([table, await work.inScope(scope, (tx) => tx.execute(remove))]).toEqual([table, 0]);
    }
  });

  test('the other environment of the same workspace is as foreign as another workspace', async () => {
    const { rows } = await admin.query<{ table_name: string }>(
      `SELECT DISTINCT table_name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'environment' AND table_name <> ALL ($1) ORDER BY 1`,
      [OF_BOTH],
    );
    expect(rows.length).toBeGreaterThanOrEqual(5);
    for (const { table_name: table } of rows) {
      const other = { workspaceId: A, environment: 'test' as const };
      expect([table, (await work.inScope(other, (tx) => tx.query(`SELECT * FROM ${table}`))).length]).toEqual(
        [table, 0],
      );
    }
  });
});
