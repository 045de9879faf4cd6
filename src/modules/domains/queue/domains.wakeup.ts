/** The wake-up that says: this tenant has domains with due checks. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const DOMAINS_WAKE_UP = tenantWakeUp('domains.check', 'domains');
