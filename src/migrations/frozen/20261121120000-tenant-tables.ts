/**
 * What a migration does to a table that holds tenants' rows: row-level security that its owner cannot pass either, the
 * service's grants, and a first idea of its contents for the planner. Frozen with the migrations that use it, so it
 * imports nothing of the product: what the product calls by another name one day gets a new file beside this one.
 */
import type { QueryRunner } from 'typeorm';

export const APP_ROLE = 'waypost_app';
export const DISPATCH_ROLE = 'waypost_dispatch';
export const READER_ROLE = 'waypost_reader';

/**
 * `app.workspace_id` as a policy reads it; null, which equals nothing, where none is set. A sub-select, so that it is
 * read once for each statement and not for each row.
 */
export const CURRENT_WORKSPACE = `(SELECT nullif(current_setting('app.workspace_id', true), '')::uuid)`;

/** `app.environment` as a policy reads it. */
const CURRENT_ENVIRONMENT = `(SELECT nullif(current_setting('app.environment', true), ''))`;

/** Rows of the workspace that is set, whatever their environment. */
export const OF_WORKSPACE = `workspace_id = ${CURRENT_WORKSPACE}`;

/** Rows of the workspace and the environment that are set. */
export const OF_ENVIRONMENT = `${OF_WORKSPACE} AND environment = ${CURRENT_ENVIRONMENT}`;

/** Lets the service see and write those rows of a table that the condition holds for, and no others. */
export async function protect(runner: QueryRunner, table: string, condition: string): Promise<void> {
  await runner.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
  await runner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
  await runner.query(
    `CREATE POLICY tenant ON ${table} TO ${APP_ROLE} USING (${condition}) WITH CHECK (${condition})`,
  );
  await runner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${APP_ROLE}`);
}

/**
 * Until the first ANALYZE the planner would take a tenant for a two-hundredth of a table, the two conditions of each
 * policy for as much again, and read whole tenants believing them to be one row. Tells it instead that all rows are
 * of one tenant, which is the truth of most installations; the first ANALYZE corrects it. PostgreSQL 18 can be told;
 * older ones learn by their first ANALYZE.
 */
export async function assumeOneTenant(
  runner: QueryRunner,
  byWorkspace: readonly string[],
  byEnvironment: readonly string[],
): Promise<void> {
  const [server] = (await runner.query('SHOW server_version_num')) as { server_version_num: string }[];
  if (Number(server?.server_version_num) < 180_000) return;
  const columns = [
    ...[...byWorkspace, ...byEnvironment].map((table) => [table, 'workspace_id']),
    ...byEnvironment.map((table) => [table, 'environment']),
  ];
  for (const [table, column] of columns)
    await runner.query(
      `SELECT pg_restore_attribute_stats('schemaname', 'public'::text, 'relname', $1::text, 'attname', $2::text,
         'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real)`,
      [table, column],
    );
}
