/** The bell that says: this tenant has used much of its plan, and nobody was told yet. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const USAGE_BELL = tenantBell('usage.tell', 'usage');
