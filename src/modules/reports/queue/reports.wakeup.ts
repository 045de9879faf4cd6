/** The wake-up job that says only that a tenant has reports to mail. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const REPORTS_WAKE_UP = tenantWakeUp('reports.mail', 'reports');
