/** Works on the bell of pending events. It stands here, not beside the events: what they start are trips. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { EVENTS_BELL } from '../../events/queue/events.jobs.js';
import { TripStarter } from '../application/trip-starter.js';

@Processor(EVENTS_BELL.queue, WORKER_OPTIONS)
export class EventsProcessor extends BellProcessor {
  constructor(
    private readonly starter: TripStarter,
    tools: BellTools,
  ) {
    super(EVENTS_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.starter.processPending(scope, mayGoOn);
  }
}
