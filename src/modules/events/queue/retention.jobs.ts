/** The wake-up job for retention: it says only that a tenant has expired events or idempotency keys. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const RETENTION_BELL = tenantBell('events.retention', 'upkeep');
