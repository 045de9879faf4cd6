/**
 * Migrates a database to the current schema: the service's roles, our migrations, and BullMQ's own tables. Safe to run
 * from several processes concurrently (one migrates, the others wait) and at every start.
 */
import pg from 'pg';
import { runMigrations as migrateQueue } from 'bullmq';
import { adminDataSource, type SchemaSource } from './data-source.js';
import { ensureRoles } from './ensure-roles.js';
import { moveGrants } from './move-grants.js';
import { APP_ROLE, DISPATCH_ROLE, QUEUE_ROLE, READER_ROLE, type RoleSuffix } from './roles.js';
import { START_WAIT_MS } from './time-limits.js';

/** Schema of the queue's tables. It is a cache and may be emptied at any time. */
export const QUEUE_SCHEMA = 'bullmq';

/** An arbitrary advisory lock number that nothing else uses. */
const MIGRATION_LOCK = 7_288_001;

/**
 * Creates or repairs roles, applies missing migrations, and grants privileges.
 * @param adminUrl a user that may create roles and tables in the database.
 * @param settings settings of the migration connection, by name: values that a migration needs and cannot know.
 * @returns the names of the applied migrations.
 * @throws RoleFault if the server's roles are unusable; then nothing changes.
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
    const { suffix, former } = await ensureRoles(client, adminUrl);
    if (former !== undefined) await moveGrants(client, former, suffix, QUEUE_SCHEMA);
    const source = adminDataSource(adminUrl, schema, settings, suffix);
    await source.initialize();
    try {
      const applied = await source.runMigrations({ transaction: 'each' });
      await migrateQueue(client, QUEUE_SCHEMA);
      await grant(client, suffix);
      return applied.map(({ name }) => name);
    } finally {
      await source.destroy();
    }
  } finally {
    await client.end();
  }
}

/** Grants the privileges that no migration grants. */
async function grant(client: pg.Client, suffix: RoleSuffix): Promise<void> {
  const queue = QUEUE_ROLE + suffix;
  // Objects that the queue's role has created, such as sequences, belong to it, and the account may not be allowed to
  // grant them.
  const { rows } = await client.query<{ sql: string }>(
    `SELECT format('GRANT %s ON %s %s TO ${queue}', rights, kind, name) AS sql FROM (
       SELECT CASE relkind WHEN 'S' THEN 'USAGE, SELECT, UPDATE' ELSE 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE' END AS rights,
         CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind, oid::regclass::text AS name, relowner AS owner
       FROM pg_class WHERE relnamespace = '${QUEUE_SCHEMA}'::regnamespace AND relkind IN ('r', 'p', 'v', 'S')
       UNION ALL
       SELECT 'EXECUTE', 'FUNCTION', oid::regprocedure::text, proowner
       FROM pg_proc WHERE pronamespace = '${QUEUE_SCHEMA}'::regnamespace) AS object
     WHERE pg_has_role(owner, 'USAGE')`,
  );
  await client.query(
    [
      'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
      `GRANT USAGE ON SCHEMA public TO ${[APP_ROLE, DISPATCH_ROLE, READER_ROLE].map((role) => role + suffix).join(', ')}`,
      `GRANT SELECT ON schema_migrations TO ${APP_ROLE + suffix}`,
      `GRANT USAGE, CREATE ON SCHEMA ${QUEUE_SCHEMA} TO ${queue}`,
      ...rows.map(({ sql }) => sql),
    ].join('; '),
  );
}
