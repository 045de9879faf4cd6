/** The wake-up job for events: it says only that a tenant has unprocessed events. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const EVENTS_WAKE_UP = tenantWakeUp('events.process', 'events');
