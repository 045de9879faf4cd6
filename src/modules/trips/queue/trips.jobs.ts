/** The bell that says: this tenant has trips that are due. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const TRIPS_BELL = tenantBell('trips.advance', 'trips');
