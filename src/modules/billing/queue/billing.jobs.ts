/** The bell that says: this workspace has events of payment providers to be worked on. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const BILLING_BELL = tenantBell('billing.process', 'billing');
