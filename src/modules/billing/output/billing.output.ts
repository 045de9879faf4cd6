/** A workspace's billing, as its owner sees it in GraphQL. */
import { Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { subscriptionStatus, type Subscription } from '../domain/subscription.js';
import type { StoredBillingEvent } from '../persistence/billing-event.repository.js';

@Output({ graphql: 'BillingEvent', description: 'An event received from a payment provider.' })
export class BillingEventOutput {
  @Out('ID') id: string;
  @Out('String', { description: 'The provider that sent the event: payment or billing.' }) source: string;
  @Out('String', { description: 'The event type as the provider names it.' }) type: string;
  @Out('DateTime') happenedAt: Date;
  @Out('String', { nullable: true }) plan: string | null;
  @Out('DateTime') receivedAt: Date;
  @Out('DateTime', { nullable: true }) processedAt: Date | null;
  @Out('String', { nullable: true, description: 'Why the event was not applied. Null otherwise.' })
  failure: string | null;
}

export const BillingEventConnection = connection('BillingEvent', BillingEventOutput);

@Output({ graphql: 'Billing' })
export class BillingOutput {
  @Out('String') plan: string;
  @Out('String', { description: 'active or suspended' }) status: string;
  @Out('String', { nullable: true }) suspendedReason: string | null;
  @Out('String', { nullable: true, description: 'The provider’s subscription ID.' })
  paymentSubscriptionId: string | null;
  @Out('String', { nullable: true, description: 'The provider’s customer ID.' })
  paymentCustomerId: string | null;
}

@Output({ graphql: 'BillingSubscription', description: 'A subscription reported by a payment provider.' })
export class BillingSubscriptionOutput {
  @Out('ID', { description: 'The provider’s subscription ID.' }) id: string;
  @Out('String') plan: string;
  @Out('String', { description: 'active, paused or cancelled' }) status: string;
  @Out('Boolean', {
    description:
      'Whether the subscription is confirmed as the workspace’s own. An unconfirmed subscription can raise the ' +
      'plan, but not lower it or suspend the workspace.',
  })
  isConfirmed: boolean;
  @Out('String', { nullable: true, description: 'The provider’s customer ID.' }) customerId: string | null;
}

@Output({ graphql: 'CheckoutToken' })
export class CheckoutTokenOutput {
  @Out('String', { description: 'The value to pass to the checkout as checkout_token.' }) token: string;
  @Out('DateTime', { description: 'When the token expires. The purchase must start before this time.' })
  expiresAt: Date;
}

export function billingSubscriptionOutput(subscription: Subscription): BillingSubscriptionOutput {
  const status = subscriptionStatus(subscription);
  return { ...subscription, status, isConfirmed: subscription.confirmedBy !== null };
}

export function billingEventOutput({ event, ...stored }: StoredBillingEvent): BillingEventOutput {
  const { type, at: happenedAt, plan } = event;
  return { ...stored, type, happenedAt, plan };
}
