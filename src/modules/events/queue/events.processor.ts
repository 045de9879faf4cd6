/** Handles the wake-up jobs for pending events. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { EventPipeline } from '../application/event-pipeline.js';
import { EVENTS_WAKE_UP } from './events.wakeup.js';

@Processor(EVENTS_WAKE_UP.queue, WORKER_OPTIONS)
export class EventsProcessor extends WakeUpProcessor {
  constructor(
    private readonly pipeline: EventPipeline,
    tools: WakeUpTools,
  ) {
    super(EVENTS_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.pipeline.processPending(scope, mayContinue);
  }
}
