/** Handles the wake-ups of runs. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { InspectJobs } from '../application/inspect-jobs.js';
import { FULL_INSPECTIONS_WAKE_UP, INSPECTIONS_WAKE_UP } from './inspections.wakeup.js';

/** A worker makes runs of this number of workspaces concurrently per mode; a run takes up to two minutes. */
const OPTIONS = { ...WORKER_OPTIONS, concurrency: 8 } as const;

@Processor(INSPECTIONS_WAKE_UP.queue, OPTIONS)
export class InspectionsProcessor extends WakeUpProcessor {
  constructor(
    private readonly jobs: InspectJobs,
    tools: WakeUpTools,
  ) {
    super(INSPECTIONS_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.jobs.run(scope, 'quick', mayContinue);
  }
}

@Processor(FULL_INSPECTIONS_WAKE_UP.queue, OPTIONS)
export class FullInspectionsProcessor extends WakeUpProcessor {
  constructor(
    private readonly jobs: InspectJobs,
    tools: WakeUpTools,
  ) {
    super(FULL_INSPECTIONS_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.jobs.run(scope, 'full', mayContinue);
  }
}
