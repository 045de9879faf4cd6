/** Whether a database serves an installation already: what must fit it is then not to be made anew. */
import pg from 'pg';
import { START_WAIT_MS } from './time-limits.js';

/** By the size of the table, which every user may know, whatever rows it may see. */
const SQL = `SELECT coalesce(pg_relation_size(to_regclass('workspaces')), 0) > 0 AS "isInUse"`;

/** Whether workspaces were ever made in the database; false where it has no tables yet. */
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
