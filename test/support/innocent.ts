/** Kills that are no proof against a row: what they prove otherwise is test/faults/poisonous-row's. */
import type pg from 'pg';
import { Presence } from '../../src/platform/database/presence.js';
import { until } from './until.js';

/**
 * Rows of which nothing is left to do, though their worker died before it could say so: nobody takes them up again, unless
 * something new is to be done with them.
 */
const DONE = `
  (kind = 'event' AND NOT EXISTS (SELECT FROM events e
     WHERE e.workspace_id = w.workspace_id AND e.environment = w.environment AND e.id = w.subject_id AND e.processed_at IS NULL))
  OR (kind = 'trip' AND NOT EXISTS (SELECT FROM trips t
     WHERE t.workspace_id = w.workspace_id AND t.environment = w.environment AND t.id = w.subject_id AND t.completed_at IS NULL))
  OR (kind = 'segment_touch' AND NOT EXISTS (SELECT FROM segment_touches t
     WHERE t.workspace_id = w.workspace_id AND t.environment = w.environment AND t.contact_id = w.subject_id))`;

/**
 * Resolves when no row is left that two processes have died with. A third death would make it the cause of all three,
 * though it merely is the first that each new process takes up.
 */
export async function nothingIsSuspectedTwice(database: pg.Client): Promise<void> {
  const suspects = async (): Promise<string[]> =>
    (
      await database.query<{ row: string }>(
        `SELECT kind || ' ' || subject_id AS row FROM work_in_hand w
         WHERE deaths + (holder IS NOT NULL AND ${Presence.isGone('w.holder')})::int >= 2 AND NOT (${DONE})`,
      )
    ).rows.map(({ row }) => row);
  await until(
    'what two processes have died with is done',
    async () => (await suspects()).length === 0,
    suspects,
  );
}
