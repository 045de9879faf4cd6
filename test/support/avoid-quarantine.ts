/**
 * Waits between kills, so that random kills do not get a row quarantined; test/faults/poisonous-row tests the
 * quarantine.
 */
import type pg from 'pg';
import { ProcessLease } from '../../src/platform/database/process-lease.js';
import { until } from './until.js';

/**
 * Rows whose work is done although their worker died before it could record that. No process claims them again unless
 * new work for them arrives.
 */
const DONE = `
  (kind = 'event' AND NOT EXISTS (SELECT FROM events e
     WHERE e.workspace_id = w.workspace_id AND e.environment = w.environment AND e.id = w.subject_id AND e.processed_at IS NULL))
  OR (kind = 'trip' AND NOT EXISTS (SELECT FROM trips t
     WHERE t.workspace_id = w.workspace_id AND t.environment = w.environment AND t.id = w.subject_id AND t.completed_at IS NULL))
  OR (kind = 'segment_touch' AND NOT EXISTS (SELECT FROM segment_touches t
     WHERE t.workspace_id = w.workspace_id AND t.environment = w.environment AND t.contact_id = w.subject_id))`;

/**
 * Resolves when no row is left that was claimed by two processes that died. A third death would mark the row as the
 * cause of all three, though it may only be the first row that each new process claims.
 */
export async function nothingIsSuspectedTwice(database: pg.Client): Promise<void> {
  const suspects = async (): Promise<string[]> =>
    (
      await database.query<{ row: string }>(
        `SELECT kind || ' ' || subject_id AS row FROM work_in_hand w
         WHERE deaths + (holder IS NOT NULL AND ${ProcessLease.isExpiredSql('w.holder')})::int >= 2 AND NOT (${DONE})`,
      )
    ).rows.map(({ row }) => row);
  await until(
    'what two processes have died with is done',
    async () => (await suspects()).length === 0,
    suspects,
  );
}
