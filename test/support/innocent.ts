/** Kills that are no proof against a row: what they prove otherwise is test/faults/poisonous-row's. */
import type pg from 'pg';
import { Presence } from '../../src/platform/database/presence.js';
import { until } from './until.js';

/**
 * Resolves when no row is left that two processes have died with. A third death would make it the cause of all three,
 * though it merely is the first that each new process takes up.
 */
export async function nothingIsSuspectedTwice(database: pg.Client): Promise<void> {
  const suspects = async (): Promise<string[]> =>
    (
      await database.query<{ row: string }>(
        `SELECT kind || ' ' || subject_id AS row FROM work_in_hand w
         WHERE deaths + (holder IS NOT NULL AND ${Presence.isGone('w.holder')})::int >= 2`,
      )
    ).rows.map(({ row }) => row);
  await until(
    'what two processes have died with is done',
    async () => (await suspects()).length === 0,
    suspects,
  );
}
