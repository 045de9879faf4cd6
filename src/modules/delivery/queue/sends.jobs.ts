/** The wake-up job for sending: it says only that a tenant has due messages. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const SENDS_BELL = tenantBell('sends.deliver', 'sends');
