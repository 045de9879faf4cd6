/** The wake-up for a tenant that has reached a usage threshold that is not announced yet. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const USAGE_WAKE_UP = tenantWakeUp('usage.tell', 'usage');
