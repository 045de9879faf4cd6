/** The wake-up job: the tenant has due trips or sweeps. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const TRIPS_WAKE_UP = tenantWakeUp('trips.advance', 'trips');
