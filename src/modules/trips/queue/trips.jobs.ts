/** The wake-up job: the tenant has due trips. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const TRIPS_BELL = tenantBell('trips.advance', 'trips');
