/** Processes the wake-ups of segments. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { SegmentRefreshService } from '../application/segment-refresh.service.js';
import { SEGMENTS_WAKE_UP } from './segments.wakeup.js';

/** Two, so that a large tenant does not block the others, and the database is not overloaded. */
@Processor(SEGMENTS_WAKE_UP.queue, { ...WORKER_OPTIONS, concurrency: 2 })
export class SegmentsProcessor extends WakeUpProcessor {
  constructor(
    private readonly refresh: SegmentRefreshService,
    tools: WakeUpTools,
  ) {
    super(SEGMENTS_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.refresh.runDueWork(scope, mayContinue);
  }
}
