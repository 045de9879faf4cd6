/** Handles the wake-up for due trips and for sweeps over many of them. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { TripRunner } from '../application/trip-runner.js';
import { TripSweeps } from '../application/trip-sweeps.js';
import { TRIPS_WAKE_UP } from './trips.wakeup.js';

@Processor(TRIPS_WAKE_UP.queue, WORKER_OPTIONS)
export class TripsProcessor extends WakeUpProcessor {
  constructor(
    private readonly runner: TripRunner,
    private readonly sweeps: TripSweeps,
    tools: WakeUpTools,
  ) {
    super(TRIPS_WAKE_UP, tools);
  }

  /** Both run concurrently, since either may take long. */
  protected override async work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    const done = await Promise.allSettled([
      this.runner.advanceDue(scope, mayContinue),
      this.sweeps.runDueSweeps(scope, mayContinue),
    ]);
    const failed = done.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    return done.some((one) => one.status === 'fulfilled' && one.value);
  }
}
