/** The wake-up job: the tenant has due trips or sweeps. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const TRIPS_BELL = tenantBell('trips.advance', 'trips');
