/** The bell that says: this tenant has domains whose records are to be looked at. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const DOMAINS_BELL = tenantBell('domains.check', 'domains');
