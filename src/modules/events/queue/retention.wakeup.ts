/** The wake-up job for retention: it says only that a tenant has expired events or idempotency keys. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const RETENTION_WAKE_UP = tenantWakeUp('events.retention', 'upkeep');
