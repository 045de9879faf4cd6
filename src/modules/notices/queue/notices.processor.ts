/** Handles the wake-up jobs for the product's own mail. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { NoticeSender } from '../application/notice-sender.js';
import { NOTICES_WAKE_UP } from './notices.wakeup.js';

@Processor(NOTICES_WAKE_UP.queue, WORKER_OPTIONS)
export class NoticesProcessor extends WakeUpProcessor {
  constructor(
    private readonly sender: NoticeSender,
    tools: WakeUpTools,
  ) {
    super(NOTICES_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.sender.drain(scope, mayContinue);
  }
}
