/** Handles the wake-ups of runs. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { InspectJobs } from '../application/inspect-jobs.js';
import { FULL_INSPECTIONS_BELL, INSPECTIONS_BELL } from './inspections.jobs.js';

/** A worker makes runs of this number of workspaces concurrently per mode; a run takes up to two minutes. */
const OPTIONS = { ...WORKER_OPTIONS, concurrency: 8 } as const;

@Processor(INSPECTIONS_BELL.queue, OPTIONS)
export class InspectionsProcessor extends BellProcessor {
  constructor(
    private readonly jobs: InspectJobs,
    tools: BellTools,
  ) {
    super(INSPECTIONS_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.jobs.run(scope, 'quick', mayGoOn);
  }
}

@Processor(FULL_INSPECTIONS_BELL.queue, OPTIONS)
export class FullInspectionsProcessor extends BellProcessor {
  constructor(
    private readonly jobs: InspectJobs,
    tools: BellTools,
  ) {
    super(FULL_INSPECTIONS_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.jobs.run(scope, 'full', mayGoOn);
  }
}
