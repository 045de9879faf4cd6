/** The wake-up job: this tenant has feedback to process. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const FEEDBACK_BELL = tenantBell('feedback.process', 'feedback');
