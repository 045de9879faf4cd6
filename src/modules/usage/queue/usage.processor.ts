/** Handles the wake-ups for usage notices. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { UsageNotices } from '../application/usage-notices.js';
import { USAGE_BELL } from './usage.jobs.js';

@Processor(USAGE_BELL.queue, WORKER_OPTIONS)
export class UsageProcessor extends BellProcessor {
  constructor(
    private readonly notices: UsageNotices,
    tools: BellTools,
  ) {
    super(USAGE_BELL, tools);
  }

  protected override async work(scope: TenantScope): Promise<boolean> {
    await this.notices.tell(scope);
    return false;
  }
}
