/** Handles the wake-up jobs for payment providers' events. */
import { Processor } from '@nestjs/bullmq';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { BellProcessor, BellTools, WORKER_OPTIONS } from '../../../platform/queue/bell.processor.js';
import { BillingPipeline } from '../application/billing-pipeline.js';
import { BILLING_BELL } from './billing.jobs.js';

@Processor(BILLING_BELL.queue, { ...WORKER_OPTIONS, concurrency: 2 })
export class BillingProcessor extends BellProcessor {
  constructor(
    private readonly pipeline: BillingPipeline,
    tools: BellTools,
  ) {
    super(BILLING_BELL, tools);
  }

  protected override work({ workspaceId }: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.pipeline.processPending({ workspaceId }, mayGoOn);
  }
}
