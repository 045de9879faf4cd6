/** The wake-up job: the workspace has migration jobs to work on, or files to remove. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const IMPORTS_WAKE_UP = tenantWakeUp('imports.work', 'imports');
