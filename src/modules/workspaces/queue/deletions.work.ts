/** Deletes workspaces whose deletion is due. */
import { WorkspaceRows } from '../../../platform/database/workspace-rows.js';
import { defineWork } from '../../../platform/queue/define-work.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { WorkspaceErasure } from '../application/workspace-erasure.js';
import { SECOND_PASS_DELAY_MS } from '../domain/workspace.js';
import { WorkspaceRepository } from '../persistence/workspace.repository.js';

/** Those that are due later are found once these are deleted. */
const MAX_DUE_DELETIONS = 100;

const DUE_DELETIONS = `
SELECT id AS workspace_id, 'live' AS environment,
  greatest(coalesce(deletion_begun_at + $2 * interval '1 millisecond', deletion_at), deletion_retry_at) AS due_at
FROM workspaces WHERE deletion_at IS NOT NULL ORDER BY due_at LIMIT $1`;

export const WORK = defineWork({
  wakeUp: WAKE_UPS.deletions,
  providers: [WorkspaceErasure, WorkspaceRepository, WorkspaceRows],
  concurrency: 1,
  dueTenants: { sql: DUE_DELETIONS, values: () => [MAX_DUE_DELETIONS, SECOND_PASS_DELAY_MS] },
  process: {
    with: WorkspaceErasure,
    run: (erasure, { workspaceId }, mayContinue) => erasure.erase({ workspaceId }, mayContinue),
  },
});
