/** Handles the wake-up jobs for retention. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { RetentionService } from '../application/retention.service.js';
import { RETENTION_BELL } from './retention.jobs.js';

@Processor(RETENTION_BELL.queue, { ...WORKER_OPTIONS, concurrency: 1 })
export class RetentionProcessor extends BellProcessor {
  constructor(
    private readonly retention: RetentionService,
    tools: BellTools,
  ) {
    super(RETENTION_BELL, tools);
  }

  protected override work(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.retention.deleteExpired(scope, mayGoOn);
  }
}
