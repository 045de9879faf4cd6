/** The bell that says: this tenant has contacts of whom something was learned, or segments to look at again. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const SEGMENTS_BELL = tenantBell('segments.refresh', 'segments');
