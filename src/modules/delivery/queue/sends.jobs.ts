/** The bell that says: this tenant has messages that are due. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const SENDS_BELL = tenantBell('sends.deliver', 'sends');
