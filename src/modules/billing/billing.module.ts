/** The events of payment providers: accepted, queued, kept as history, replayed. */
import { Module } from '@nestjs/common';
import { WorkspaceBillingModule } from '../workspaces/workspace-billing.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { BillingChanges } from './application/billing-changes.js';
import { BillingIntake } from './application/billing-intake.js';
import { BillingReplay } from './application/billing-replay.js';
import { CheckoutTokens } from './application/checkout-tokens.js';
import { CustomerLinks } from './application/customer-links.js';
import { SubscriptionConfirmation } from './application/subscription-confirmation.js';
import { BillingEventRepository } from './persistence/billing-event.repository.js';
import { UnmatchedBillingEventRepository } from './persistence/unmatched-billing-event.repository.js';
import { SubscriptionRepository } from './persistence/subscription.repository.js';

@Module({
  imports: [AuditModule, WorkspaceBillingModule, WorkspacesModule],
  providers: [
    BillingChanges,
    BillingEventRepository,
    BillingIntake,
    BillingReplay,
    CheckoutTokens,
    CustomerLinks,
    UnmatchedBillingEventRepository,
    SubscriptionConfirmation,
    SubscriptionRepository,
  ],
  exports: [BillingIntake, BillingReplay, CheckoutTokens, CustomerLinks, SubscriptionConfirmation],
})
export class BillingModule {}
