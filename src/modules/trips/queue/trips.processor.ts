/** Works on the bell of due trips. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { TripRunner } from '../application/trip-runner.js';
import { TRIPS_BELL } from './trips.jobs.js';

@Processor(TRIPS_BELL.queue, WORKER_OPTIONS)
export class TripsProcessor extends BellProcessor {
  constructor(
    private readonly runner: TripRunner,
    tools: BellTools,
  ) {
    super(TRIPS_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.runner.advanceDue(scope, mayGoOn);
  }
}
