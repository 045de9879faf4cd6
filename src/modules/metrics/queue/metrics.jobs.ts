/** The wake-up job that says only that a tenant has pending rollup deltas. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const METRICS_BELL = tenantBell('metrics.fold', 'metrics');
