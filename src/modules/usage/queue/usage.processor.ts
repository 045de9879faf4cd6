/** Handles the wake-ups for usage notices. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { UsageNotices } from '../application/usage-notices.js';
import { USAGE_WAKE_UP } from './usage.wakeup.js';

@Processor(USAGE_WAKE_UP.queue, WORKER_OPTIONS)
export class UsageProcessor extends WakeUpProcessor {
  constructor(
    private readonly notices: UsageNotices,
    tools: WakeUpTools,
  ) {
    super(USAGE_WAKE_UP, tools);
  }

  protected override async work(scope: TenantScope): Promise<boolean> {
    await this.notices.announce(scope);
    return false;
  }
}
