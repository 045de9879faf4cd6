/**
 * Brings a database to the present schema: the service's roles, our migrations, BullMQ's own tables. Safe to run
 * from several processes at once (one does it, the others wait and find it done) and at every start.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { runMigrations as migrateQueue } from 'bullmq';
import { adminDataSource, type SchemaSource } from './data-source.js';
import {
  APP_ROLE,
  DISPATCH_ROLE,
  passwordOf,
  QUEUE_ROLE,
  READER_ROLE,
  SERVICE_ROLES,
  type ServiceRole,
} from './roles.js';
import { START_WAIT_MS, TIME_LIMITS } from './time-limits.js';

/** Schema that holds the queue's tables; it is cache, not truth, and may be emptied at any time. */
export const QUEUE_SCHEMA = 'bullmq';

/** Any fixed number that nothing else locks. */
const MIGRATION_LOCK = 7_288_001;

/** How often a role is looked at again while others change it. */
const MOST_TRIES = 100;

/**
 * Creates or repairs roles, applies the migrations that are missing, and grants what the roles need.
 * @param adminUrl a user that may create roles and tables in the database.
 * @param settings of the connection that applies the migrations, by name: what one of them needs and cannot know.
 * @returns the names of the migrations that were applied now.
 */
export async function migrate(
  adminUrl: string,
  schema: SchemaSource,
  settings: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: START_WAIT_MS });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    for (const role of SERVICE_ROLES)
      await besideOthers(() => ensureRole(client, role, passwordOf(role, adminUrl)));
    const source = adminDataSource(adminUrl, schema, settings);
    await source.initialize();
    try {
      const applied = await source.runMigrations({ transaction: 'each' });
      await migrateQueue(client, QUEUE_SCHEMA);
      await grantQueue(client);
      return applied.map(({ name }) => name);
    } finally {
      await source.destroy();
    }
  } finally {
    await client.end();
  }
}

/**
 * Roles belong to the whole server, the migrations' lock to one database: whoever brings up another database of the
 * same server may make or change a role at this moment. Then it is looked at again.
 */
async function besideOthers(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || !isSomebodyElses(error)) throw error;
      await sleep(Math.random() * tries * 20);
    }
}

/** It appeared meanwhile (42710, or 23505 of a catalogue's index), or was changed meanwhile (told by its routine alone). */
function isSomebodyElses(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return (
    error.code === '42710' ||
    (error.code === '23505' && error.constraint?.startsWith('pg_') === true) ||
    (error.code === 'XX000' && error.routine === 'simple_heap_update')
  );
}

async function ensureRole(client: pg.Client, role: ServiceRole, password: string): Promise<void> {
  const { rows } = await client.query<{ mighty: boolean }>(
    `SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb AS mighty FROM pg_roles WHERE rolname = $1`,
    [role],
  );
  const [known] = rows;
  if (known?.mighty)
    throw new Error(
      `The role ${role} may do more than the service needs: take its attributes away, or drop it.`,
    );
  // Only a superuser may say NOSUPERUSER of a role that exists. The password is hexadecimal digits; DDL takes no parameters.
  await client.query(
    known
      ? `ALTER ROLE ${role} LOGIN PASSWORD '${password}'`
      : `CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT PASSWORD '${password}'`,
  );
  await limitTime(client, role);
}

/** Gives the role its limits wherever it connects; says nothing where they stand, since starts may be many at once. */
async function limitTime(client: pg.Client, role: ServiceRole): Promise<void> {
  const { rows } = await client.query<{ setting: string }>(
    `SELECT unnest(s.setconfig) AS setting FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole
     WHERE r.rolname = $1 AND s.setdatabase = 0`,
    [role],
  );
  const known = new Set(rows.map(({ setting }) => setting));
  for (const [name, milliseconds] of Object.entries(TIME_LIMITS[role]))
    if (!known.has(`${name}=${milliseconds}`))
      await client.query(`ALTER ROLE ${role} SET ${name} = '${milliseconds}'`);
}

async function grantQueue(client: pg.Client): Promise<void> {
  await client.query(`
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    GRANT USAGE ON SCHEMA public TO ${APP_ROLE}, ${DISPATCH_ROLE}, ${READER_ROLE};
    GRANT SELECT ON schema_migrations TO ${APP_ROLE};
    GRANT USAGE, CREATE ON SCHEMA ${QUEUE_SCHEMA} TO ${QUEUE_ROLE};
    GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} TO ${QUEUE_ROLE};
    GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA ${QUEUE_SCHEMA} TO ${QUEUE_ROLE};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${QUEUE_SCHEMA} TO ${QUEUE_ROLE};`);
}
