/** Handles the wake-up for due trips and for sweeps over many of them. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { TripRunner } from '../application/trip-runner.js';
import { TripSweeps } from '../application/trip-sweeps.js';
import { TRIPS_BELL } from './trips.jobs.js';

@Processor(TRIPS_BELL.queue, WORKER_OPTIONS)
export class TripsProcessor extends BellProcessor {
  constructor(
    private readonly runner: TripRunner,
    private readonly sweeps: TripSweeps,
    tools: BellTools,
  ) {
    super(TRIPS_BELL, tools);
  }

  /** Both run concurrently, since either may take long. */
  protected override async work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    const done = await Promise.allSettled([
      this.runner.advanceDue(scope, mayGoOn),
      this.sweeps.sweepDue(scope, mayGoOn),
    ]);
    const failed = done.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return done.some((one) => one.status === 'fulfilled' && one.value);
  }
}
