/** Handles the wake-up jobs for retention. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { RetentionService } from '../application/retention.service.js';
import { RETENTION_WAKE_UP } from './retention.wakeup.js';

@Processor(RETENTION_WAKE_UP.queue, { ...WORKER_OPTIONS, concurrency: 1 })
export class RetentionProcessor extends WakeUpProcessor {
  constructor(
    private readonly retention: RetentionService,
    tools: WakeUpTools,
  ) {
    super(RETENTION_WAKE_UP, tools);
  }

  protected override work(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.retention.deleteExpired(scope, mayContinue);
  }
}
