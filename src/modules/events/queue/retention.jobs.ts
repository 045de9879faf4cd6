/** The bell that says: this tenant has events or idempotency keys that are past their time. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const RETENTION_BELL = tenantBell('events.retention', 'upkeep');
