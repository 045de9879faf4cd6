/** Names an installation on servers that it shares with others. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { codeOf } from './database-error.js';
import { START_WAIT_MS } from './time-limits.js';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * The prefix is the same for all processes on a database, whatever address they use. A database that is restored
 * elsewhere or created again gets another prefix.
 */
export async function installationPrefix(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: START_WAIT_MS });
  await client.connect();
  try {
    const { rows } = await client.query<{ database: string }>(
      `SELECT oid || ' ' || datname AS database FROM pg_database WHERE datname = current_database()`,
    );
    const name = `${await serverOf(client)} ${rows[0]?.database ?? ''}`;
    return `waypost:${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
  } finally {
    await client.end();
  }
}

/** The system identifier of the server; empty if the account may not read it. */
async function serverOf(client: pg.Client): Promise<string> {
  try {
    const { rows } = await client.query<{ id: string }>(
      'SELECT system_identifier::text AS id FROM pg_control_system()',
    );
    return rows[0]?.id ?? '';
  } catch (error) {
    if (codeOf(error) === INSUFFICIENT_PRIVILEGE) return '';
    throw error;
  }
}
