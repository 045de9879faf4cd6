/**
 * The wake-ups that say: this workspace has runs to make. Quick runs have their own queue, so that they never wait
 * behind screenshots. Runs belong to the workspace; the environment of the wake-up has no meaning.
 */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';
import type { InspectMode } from '../domain/runs/inspect-job.js';

export const INSPECTIONS_WAKE_UP = tenantWakeUp('inspections.quick', 'inspections');
export const FULL_INSPECTIONS_WAKE_UP = tenantWakeUp('inspections.full', 'full-inspections');

export const WAKE_UP_OF = {
  quick: INSPECTIONS_WAKE_UP,
  full: FULL_INSPECTIONS_WAKE_UP,
} as const satisfies Readonly<Record<InspectMode, unknown>>;
