/**
 * The bells that say: this workspace has runs to be made. Quick ones have a queue of their own, so that they never wait
 * behind pictures. Runs are a workspace's; the environment of the bell says nothing.
 */
import { tenantBell } from '../../../platform/queue/job-contract.js';
import type { InspectMode } from '../domain/runs/inspect-job.js';

export const INSPECTIONS_BELL = tenantBell('inspections.quick', 'inspections');
export const FULL_INSPECTIONS_BELL = tenantBell('inspections.full', 'full-inspections');

export const BELL_OF = { quick: INSPECTIONS_BELL, full: FULL_INSPECTIONS_BELL } as const satisfies Readonly<
  Record<InspectMode, unknown>
>;
