/** The bell that says: this workspace's time is over. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const DELETIONS_BELL = tenantBell('workspaces.delete', 'deletions');
