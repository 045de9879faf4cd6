/** Advances due trips, and sweeps over many of them. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import { defineWork } from '../../../platform/queue/define-work.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { TripRunner } from '../application/trip-runner.js';
import { TripSweeps } from '../application/trip-sweeps.js';
import { TripsModule } from '../trips.module.js';

/** Each tenant's earliest trip; the cost does not depend on the number of parked trips. */
const WAITING_TENANTS = `
SELECT workspace_id, environment, min(due_at) AS due_at FROM (
  (${earliestOfTenants('FROM trips WHERE resume_at IS NOT NULL', 'resume_at')})
  UNION ALL
  SELECT workspace_id, environment, due_at FROM trip_sweeps) AS waiting
GROUP BY workspace_id, environment`;

@Injectable()
class TripsAndSweeps {
  constructor(
    private readonly runner: TripRunner,
    private readonly sweeps: TripSweeps,
  ) {}

  /** Both run concurrently, since either may take long. */
  async run(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    const done = await Promise.allSettled([
      this.runner.advanceDue(scope, mayContinue),
      this.sweeps.runDueSweeps(scope, mayContinue),
    ]);
    const failed = done.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return done.some((one) => one.status === 'fulfilled' && one.value);
  }
}

export const WORK = defineWork({
  wakeUp: WAKE_UPS.trips,
  imports: [TripsModule],
  providers: [TripsAndSweeps],
  dueTenants: WAITING_TENANTS,
  process: { with: TripsAndSweeps, run: (work, scope, mayContinue) => work.run(scope, mayContinue) },
});
