/** Handles the wake-up jobs for the product's own mail. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { NoticeSender } from '../application/notice-sender.js';
import { NOTICES_BELL } from './notices.jobs.js';

@Processor(NOTICES_BELL.queue, WORKER_OPTIONS)
export class NoticesProcessor extends BellProcessor {
  constructor(
    private readonly sender: NoticeSender,
    tools: BellTools,
  ) {
    super(NOTICES_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.sender.drain(scope, mayGoOn);
  }
}
