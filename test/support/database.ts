/**
 * Gives each suite its own migrated database, copied from a template that the first suite creates. The test command
 * starts the server and names it in TEST_DATABASE_URL.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { SCHEMA } from '../../src/processes/schema.js';

export interface TestDatabase {
  /** Administrator's URL of the database, in the form of DATABASE_URL. */
  readonly adminUrl: string;
  drop(): Promise<void>;
}

const TEMPLATE_LOCK = 7_288_002;

function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) throw new Error('TEST_DATABASE_URL is missing: run the tests by `npm test`.');
  return url;
}

function databaseUrl(name: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.toString();
}

async function asAdmin<Result>(
  work: (client: pg.Client) => Promise<Result>,
  url = serverUrl(),
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates an empty, migrated database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_database WHERE datname = 'test_template' AND datistemplate`,
    );
    if (!rowCount) {
      await client.query('DROP DATABASE IF EXISTS test_template');
      await client.query('CREATE DATABASE test_template');
      await migrate(databaseUrl('test_template'), SCHEMA);
      await client.query('ALTER DATABASE test_template IS_TEMPLATE true');
    }
    // This strategy does not log each page to the WAL, which tests never read: logging would cost a quarter of the
    // time.
    await client.query(`CREATE DATABASE ${name} TEMPLATE test_template STRATEGY FILE_COPY`);
  });
  return {
    adminUrl: databaseUrl(name),
    drop: () =>
      asAdmin(async (client) => {
        await connectionsClosed(client, name);
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

/** How often to check whether open connections have closed. Connections that a test left open are then terminated. */
const LOOKS_FOR_CONNECTIONS = 200;

/** Terminating a connection while it closes would raise an unhandled error. */
async function connectionsClosed(client: pg.Client, database: string): Promise<void> {
  for (let looks = 0; looks < LOOKS_FOR_CONNECTIONS; looks++) {
    const { rowCount } = await client.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [database]);
    if (!rowCount) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * Deletes all tenant data of a database, workspaces first, so that none of it is due any more. It empties one table at
 * a time: a statement that locked all tables could deadlock with a worker.
 */
export function emptyTenantTables(adminUrl: string): Promise<void> {
  return asAdmin(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT DISTINCT table_name AS name, table_name <> 'workspaces' AS later FROM information_schema.columns
       JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND (column_name = 'workspace_id' OR table_name = 'workspaces')
       ORDER BY later, name`,
    );
    const filled = await client.query<{ name: string }>(
      rows
        .map(({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM ${name})`)
        .join(' UNION ALL '),
    );
    for (const { name } of filled.rows) await client.query(`TRUNCATE ${name}`);
  }, adminUrl);
}
