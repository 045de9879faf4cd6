/** The worker that applies the events of payment providers. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { AuditModule } from '../audit/audit.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { WorkspaceBillingModule } from '../workspaces/workspace-billing.module.js';
import { BillingChanges } from './application/billing-changes.js';
import { BillingPipeline } from './application/billing-pipeline.js';
import { BillingEventRepository } from './persistence/billing-event.repository.js';
import { SubscriptionRepository } from './persistence/subscription.repository.js';
import { BillingProcessor } from './queue/billing.processor.js';
import { BillingPoller } from './queue/billing.poller.js';

@Module({
  imports: [AuditModule, LimitsModule, WorkspaceBillingModule],
  providers: [
    BillingChanges,
    BillingEventRepository,
    BillingPipeline,
    BillingProcessor,
    BillingPoller,
    SubscriptionRepository,
  ],
})
export class BillingWorkerModule {
  constructor(sweeper: Sweeper, poller: BillingPoller) {
    sweeper.watch(poller);
  }
}
