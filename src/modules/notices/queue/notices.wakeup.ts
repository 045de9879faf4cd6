/** The wake-up job for the product's own mail: it says only that a workspace has due mail. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const NOTICES_WAKE_UP = tenantWakeUp('notices.send', 'notices');
