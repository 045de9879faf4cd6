/**
 * The wake-ups that say: this workspace has runs to make. Quick runs have their own queue, so that they never wait
 * behind screenshots. Runs belong to the workspace; the environment of the wake-up has no meaning.
 */
import { tenantBell } from '../../../platform/queue/job-contract.js';
import type { InspectMode } from '../domain/runs/inspect-job.js';

export const INSPECTIONS_BELL = tenantBell('inspections.quick', 'inspections');
export const FULL_INSPECTIONS_BELL = tenantBell('inspections.full', 'full-inspections');

export const BELL_OF = { quick: INSPECTIONS_BELL, full: FULL_INSPECTIONS_BELL } as const satisfies Readonly<
  Record<InspectMode, unknown>
>;
