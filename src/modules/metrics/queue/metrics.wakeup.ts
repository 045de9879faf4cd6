/** The wake-up job that says only that a tenant has pending rollup deltas. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const METRICS_WAKE_UP = tenantWakeUp('metrics.fold', 'metrics');
