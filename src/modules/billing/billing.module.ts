/** What payment providers tell: taken in, kept as a queue and as a history, replayed. */
import { Module } from '@nestjs/common';
import { WorkspaceBillingModule } from '../workspaces/workspace-billing.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { BillingIntake } from './application/billing-intake.js';
import { BillingReplay } from './application/billing-replay.js';
import { BillingEventRepository } from './persistence/billing-event.repository.js';
import { StrayBillingEventRepository } from './persistence/stray-billing-event.repository.js';
import { SubscriptionRepository } from './persistence/subscription.repository.js';

@Module({
  imports: [WorkspaceBillingModule, WorkspacesModule],
  providers: [
    BillingEventRepository,
    BillingIntake,
    BillingReplay,
    StrayBillingEventRepository,
    SubscriptionRepository,
  ],
  exports: [BillingIntake, BillingReplay],
})
export class BillingModule {}
