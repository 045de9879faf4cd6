/** The bell that says: this workspace has migration jobs to be worked on, or files that are to be removed. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const IMPORTS_BELL = tenantBell('imports.work', 'imports');
