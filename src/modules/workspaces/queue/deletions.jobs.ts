/** The wake-up job: the deletion of this workspace is due. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const DELETIONS_BELL = tenantBell('workspaces.delete', 'deletions');
