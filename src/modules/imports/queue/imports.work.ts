/** Works on migrations, and removes their expired files. */
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import { defineWork } from '../../../platform/queue/define-work.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { ImportJobs } from '../application/import-jobs.js';
import { MAX_CLAIMED_WORKSPACES } from '../domain/work-limits.js';
import { ImportWorkModule } from '../import-work.module.js';

export const WORK = defineWork({
  wakeUp: WAKE_UPS.imports,
  imports: [ImportWorkModule],
  concurrency: MAX_CLAIMED_WORKSPACES,
  dueTenants: [
    earliestOfTenants('FROM import_jobs WHERE due_at IS NOT NULL', 'due_at'),
    // Failed jobs whose seen keys are to be deleted.
    earliestOfTenants('FROM import_jobs WHERE forget_at IS NOT NULL', 'forget_at'),
    earliestOfTenants('FROM import_files WHERE expires_at IS NOT NULL', 'expires_at'),
  ],
  process: { with: ImportJobs, run: (jobs, scope) => jobs.run(scope) },
});
