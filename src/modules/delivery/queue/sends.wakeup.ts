/** The wake-up job for sending: it says only that a tenant has due messages. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const SENDS_WAKE_UP = tenantWakeUp('sends.deliver', 'sends');
