/** Handles the wake-up jobs for pending events. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { EventPipeline } from '../application/event-pipeline.js';
import { EVENTS_BELL } from './events.jobs.js';

@Processor(EVENTS_BELL.queue, WORKER_OPTIONS)
export class EventsProcessor extends BellProcessor {
  constructor(
    private readonly pipeline: EventPipeline,
    tools: BellTools,
  ) {
    super(EVENTS_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.pipeline.processPending(scope, mayGoOn);
  }
}
