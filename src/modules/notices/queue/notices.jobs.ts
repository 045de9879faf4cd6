/** The wake-up job for the product's own mail: it says only that a workspace has due mail. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const NOTICES_BELL = tenantBell('notices.send', 'notices');
