/** Processes the wake-ups of feedback. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { FeedbackPipeline } from '../application/feedback-pipeline.js';
import { FEEDBACK_WAKE_UP } from './feedback.wakeup.js';

@Processor(FEEDBACK_WAKE_UP.queue, WORKER_OPTIONS)
export class FeedbackProcessor extends WakeUpProcessor {
  constructor(
    private readonly pipeline: FeedbackPipeline,
    tools: WakeUpTools,
  ) {
    super(FEEDBACK_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.pipeline.processPending(scope, mayContinue);
  }
}
