/** The bell that says: this tenant has notes of changes that are to be added to its sums. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const METRICS_BELL = tenantBell('metrics.fold', 'metrics');
