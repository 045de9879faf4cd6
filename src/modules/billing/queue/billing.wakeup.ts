/** The wake-up job for billing: it says only that a workspace has payment providers' events to process. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const BILLING_WAKE_UP = tenantWakeUp('billing.process', 'billing');
