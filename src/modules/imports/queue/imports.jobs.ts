/** The wake-up job: the workspace has migration jobs to work on, or files to remove. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const IMPORTS_BELL = tenantBell('imports.work', 'imports');
