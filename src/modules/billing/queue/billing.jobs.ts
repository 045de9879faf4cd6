/** The wake-up job for billing: it says only that a workspace has payment providers' events to process. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const BILLING_BELL = tenantBell('billing.process', 'billing');
