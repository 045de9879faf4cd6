/**
 * Checks whether a database already serves an installation. If so, secrets that must match it are not generated again.
 */
import pg from 'pg';
import { START_WAIT_MS } from './time-limits.js';

/** Checks the size of the table, which every user may read, whichever rows are visible. */
const SQL = `SELECT coalesce(pg_relation_size(to_regclass('workspaces')), 0) > 0 AS "isInUse"`;

/** Whether the database has ever contained workspaces; false if it has no tables yet. */
export async function isInUse(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: START_WAIT_MS });
  await client.connect();
  try {
    const { rows } = await client.query<{ isInUse: boolean }>(SQL);
    return rows[0]?.isInUse ?? false;
  } finally {
    await client.end();
  }
}
