/** Makes full runs of quality analysis. */
import { defineWork } from '../../../platform/queue/define-work.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { InspectJobs } from '../application/inspect-jobs.js';
import { InspectRunsModule } from '../inspect-runs.module.js';
import { InspectFetchRepository } from '../persistence/inspect-fetch.repository.js';
import { InspectWorkRepository } from '../persistence/inspect-work.repository.js';
import { dueRuns, MAX_CONCURRENT_WORKSPACES } from './inspections.work.js';

export const WORK = defineWork({
  wakeUp: WAKE_UPS['full-inspections'],
  imports: [InspectRunsModule],
  providers: [InspectFetchRepository, InspectJobs, InspectWorkRepository],
  concurrency: MAX_CONCURRENT_WORKSPACES,
  dueTenants: dueRuns('full'),
  process: { with: InspectJobs, run: (jobs, scope, mayContinue) => jobs.run(scope, 'full', mayContinue) },
});
