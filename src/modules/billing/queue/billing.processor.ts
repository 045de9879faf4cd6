/** Handles the wake-up jobs for payment providers' events. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { WakeUpProcessor, WakeUpTools, WORKER_OPTIONS } from '../../../platform/queue/wakeup.processor.js';
import { BillingPipeline } from '../application/billing-pipeline.js';
import { BILLING_WAKE_UP } from './billing.wakeup.js';

@Processor(BILLING_WAKE_UP.queue, { ...WORKER_OPTIONS, concurrency: 2 })
export class BillingProcessor extends WakeUpProcessor {
  constructor(
    private readonly pipeline: BillingPipeline,
    tools: WakeUpTools,
  ) {
    super(BILLING_WAKE_UP, tools);
  }

  protected override work({ workspaceId }: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.pipeline.processPending({ workspaceId }, mayContinue);
  }
}
