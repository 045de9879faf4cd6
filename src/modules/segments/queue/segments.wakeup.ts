/** The wake-up job: this tenant has touched contacts or due segment refreshes. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const SEGMENTS_WAKE_UP = tenantWakeUp('segments.refresh', 'segments');
