/** The wake-up that says: this tenant has domains with due checks. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const DOMAINS_BELL = tenantBell('domains.check', 'domains');
