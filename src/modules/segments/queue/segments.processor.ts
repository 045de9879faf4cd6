/** Processes the wake-ups of segments. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { SegmentRefreshService } from '../application/segment-refresh.service.js';
import { SEGMENTS_BELL } from './segments.jobs.js';

/** Two, so that a large tenant does not block the others, and the database is not overloaded. */
@Processor(SEGMENTS_BELL.queue, { ...WORKER_OPTIONS, concurrency: 2 })
export class SegmentsProcessor extends BellProcessor {
  constructor(
    private readonly refresh: SegmentRefreshService,
    tools: BellTools,
  ) {
    super(SEGMENTS_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.refresh.bringUpToDate(scope, mayGoOn);
  }
}
