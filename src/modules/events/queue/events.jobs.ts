/** The wake-up job for events: it says only that a tenant has unprocessed events. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const EVENTS_BELL = tenantBell('events.process', 'events');
