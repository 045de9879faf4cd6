/** The bell that says: this tenant has reports to be mailed. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const REPORTS_BELL = tenantBell('reports.mail', 'reports');
