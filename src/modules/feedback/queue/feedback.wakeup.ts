/** The wake-up job: this tenant has feedback to process. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const FEEDBACK_WAKE_UP = tenantWakeUp('feedback.process', 'feedback');
