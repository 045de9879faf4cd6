/** Processes the wake-ups of feedback. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { FeedbackPipeline } from '../application/feedback-pipeline.js';
import { FEEDBACK_BELL } from './feedback.jobs.js';

@Processor(FEEDBACK_BELL.queue, WORKER_OPTIONS)
export class FeedbackProcessor extends BellProcessor {
  constructor(
    private readonly pipeline: FeedbackPipeline,
    tools: BellTools,
  ) {
    super(FEEDBACK_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.pipeline.processPending(scope, mayGoOn);
  }
}
