/** The queue's tables on PostgreSQL: only a cache, so that a test may empty them at any time. */
import type { Client } from 'pg';

const DEADLOCK = '40P01';
const TRIES = 20;

/**
 * Empties them all at once, under whoever is at work on them.
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
      // Those at work take the tables in another order.
      if ((error as { code?: string }).code !== DEADLOCK || attempt === TRIES) throw error;
    }
  }
}
