/** The queue's tables on PostgreSQL. They are only a cache, so a test may empty them at any time. */
import type { Client } from 'pg';

const DEADLOCK = '40P01';
const TRIES = 20;

/**
 * Empties all tables in one statement, while processes use them.
 * @param admin a connection of their owner.
 */
export async function emptyQueueTables(admin: Client): Promise<void> {
  const { rows } = await admin.query<{ names: string }>(
    `SELECT string_agg(format('bullmq.%I', tablename), ', ') AS names FROM pg_tables
     WHERE schemaname = 'bullmq' AND tablename !~ 'migration|schema'`,
  );
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.query(`TRUNCATE ${rows[0]?.names}`);
      return;
    } catch (error) {
      // Running workers lock the tables in another order, which can deadlock.
      if ((error as { code?: string }).code !== DEADLOCK || attempt === TRIES) throw error;
    }
  }
}
