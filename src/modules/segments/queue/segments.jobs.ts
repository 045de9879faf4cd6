/** The wake-up job: this tenant has touched contacts or due segment refreshes. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const SEGMENTS_BELL = tenantBell('segments.refresh', 'segments');
