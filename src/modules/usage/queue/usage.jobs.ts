/** The wake-up for a tenant that has reached a usage threshold that is not announced yet. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const USAGE_BELL = tenantBell('usage.tell', 'usage');
