/** The wake-up job that says only that a tenant has reports to mail. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const REPORTS_BELL = tenantBell('reports.mail', 'reports');
