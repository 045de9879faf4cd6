/** Makes quick runs of quality analysis, and deletes expired answers of addresses. */
import { defineWork } from '../../../platform/queue/define-work.js';
import type { DueTenantsQuery } from '../../../platform/queue/poller.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { InspectJobs } from '../application/inspect-jobs.js';
import { ANSWER_TTL_MS } from '../domain/resources/resource-outcome.js';
import type { InspectMode } from '../domain/runs/inspect-job.js';
import { InspectRunsModule } from '../inspect-runs.module.js';
import { InspectFetchRepository } from '../persistence/inspect-fetch.repository.js';
import { InspectWorkRepository } from '../persistence/inspect-work.repository.js';

/** Workspaces that a worker makes runs of concurrently, per mode; a run takes up to two minutes. */
export const MAX_CONCURRENT_WORKSPACES = 8;

/** Milliseconds that an expired answer may stay, so that answers are deleted in batches and not one by one. */
const DELETION_DELAY_MS = ANSWER_TTL_MS;

/** Each workspace's earliest run of a mode, with one index step for each workspace that has any. */
const EARLIEST_RUNS = `
WITH RECURSIVE workspace AS (
  (SELECT workspace_id, due_at FROM inspect_jobs WHERE due_at IS NOT NULL AND mode = $1
   ORDER BY workspace_id, mode, due_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM workspace AS last, LATERAL (
    SELECT workspace_id, due_at FROM inspect_jobs
    WHERE due_at IS NOT NULL AND mode = $1 AND workspace_id > last.workspace_id
    ORDER BY workspace_id, mode, due_at LIMIT 1) AS next
)
SELECT workspace_id, 'live' AS environment, due_at FROM workspace`;

/** Each workspace's oldest answer, with one index step for each workspace that has any. */
const OLDEST_ANSWERS = `
WITH RECURSIVE workspace AS (
  (SELECT workspace_id, fetched_at FROM inspect_fetches ORDER BY workspace_id, fetched_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM workspace AS last, LATERAL (
    SELECT workspace_id, fetched_at FROM inspect_fetches WHERE workspace_id > last.workspace_id
    ORDER BY workspace_id, fetched_at LIMIT 1) AS next
)
SELECT workspace_id, 'live' AS environment, fetched_at + $1 * interval '1 millisecond' AS due_at FROM workspace`;

/** Workspaces with the moment of their earliest run of a mode. */
export const dueRuns = (mode: InspectMode): DueTenantsQuery => ({ sql: EARLIEST_RUNS, values: () => [mode] });

/** Workspaces with the moment at which their oldest answer is to be deleted. */
export const DUE_ANSWERS: DueTenantsQuery = {
  sql: OLDEST_ANSWERS,
  values: () => [ANSWER_TTL_MS + DELETION_DELAY_MS],
};

export const WORK = defineWork({
  wakeUp: WAKE_UPS.inspections,
  imports: [InspectRunsModule],
  providers: [InspectFetchRepository, InspectJobs, InspectWorkRepository],
  concurrency: MAX_CONCURRENT_WORKSPACES,
  dueTenants: [dueRuns('quick'), DUE_ANSWERS],
  process: { with: InspectJobs, run: (jobs, scope, mayContinue) => jobs.run(scope, 'quick', mayContinue) },
});
