/** The wake-up job: the deletion of this workspace is due. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const DELETIONS_WAKE_UP = tenantWakeUp('workspaces.delete', 'deletions');
