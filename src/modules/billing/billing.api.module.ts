/** The webhooks of payment providers, and the owner's view of billing. */
import { Module } from '@nestjs/common';
import { WorkspaceBillingModule } from '../workspaces/workspace-billing.module.js';
import { BillingModule } from './billing.module.js';
import { BillingHistory } from './application/billing-history.js';
import { BillingResolver } from './graphql/billing.resolver.js';
import { BillingWebhookController } from './http/billing-webhook.controller.js';
import { PaymentWebhookController } from './http/payment-webhook.controller.js';
import { BillingEventRepository } from './persistence/billing-event.repository.js';

@Module({
  imports: [BillingModule, WorkspaceBillingModule],
  controllers: [BillingWebhookController, PaymentWebhookController],
  providers: [BillingEventRepository, BillingHistory, BillingResolver],
})
export class BillingApiModule {}
