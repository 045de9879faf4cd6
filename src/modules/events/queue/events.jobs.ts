/** The bell that says: this tenant has events that have not been looked at. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const EVENTS_BELL = tenantBell('events.process', 'events');
