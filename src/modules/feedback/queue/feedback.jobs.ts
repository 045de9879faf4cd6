/** The bell that says: this tenant has words of messages to be worked on. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const FEEDBACK_BELL = tenantBell('feedback.process', 'feedback');
