/** A workspace's billing, as its owner sees it. */
import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { subscriptionStatus, type Subscription } from '../domain/subscription.js';
import type { StoredBillingEvent } from '../persistence/billing-event.repository.js';

@ObjectType('BillingEvent', { description: 'An event received from a payment provider.' })
export class BillingEventType {
  @Field(() => ID) id: string;
  @Field({ description: 'The provider that sent the event: payment or billing.' }) source: string;
  @Field({ description: 'The event type as the provider names it.' }) type: string;
  @Field(() => GraphQLISODateTime) happenedAt: Date;
  @Field(() => String, { nullable: true }) plan: string | null;
  @Field(() => GraphQLISODateTime) receivedAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true }) processedAt: Date | null;
  @Field(() => String, { nullable: true, description: 'Why the event was not applied. Null otherwise.' })
  failure: string | null;
}

@ObjectType('BillingEventEdge')
export class BillingEventEdgeType extends edge<BillingEventType>(() => BillingEventType) {}

@ObjectType('BillingEventConnection')
export class BillingEventConnectionType extends connection(() => BillingEventEdgeType) {}

@ObjectType('Billing')
export class BillingType {
  @Field() plan: string;
  @Field({ description: 'active or suspended' }) status: string;
  @Field(() => String, { nullable: true }) suspendedReason: string | null;
  @Field(() => String, { nullable: true, description: 'The provider’s subscription ID.' })
  paymentSubscriptionId: string | null;
  @Field(() => String, { nullable: true, description: 'The provider’s customer ID.' })
  paymentCustomerId: string | null;
}

@ObjectType('BillingSubscription', { description: 'A subscription reported by a payment provider.' })
export class BillingSubscriptionType {
  @Field(() => ID, { description: 'The provider’s subscription ID.' }) id: string;
  @Field() plan: string;
  @Field({ description: 'active, paused or cancelled' }) status: string;
  @Field({
    description:
      'Whether the subscription is confirmed as the workspace’s own. An unconfirmed subscription can raise the ' +
      'plan, but not lower it or suspend the workspace.',
  })
  isConfirmed: boolean;
  @Field(() => String, { nullable: true, description: 'The provider’s customer ID.' })
  customerId: string | null;
}

@ObjectType('CheckoutToken')
export class CheckoutTokenType {
  @Field({ description: 'The value to pass to the checkout as checkout_token.' }) token: string;
  @Field(() => GraphQLISODateTime, {
    description: 'When the token expires. The purchase must start before this time.',
  })
  expiresAt: Date;
}

export function billingSubscriptionTypeOf(subscription: Subscription): BillingSubscriptionType {
  const { id, plan, confirmedBy, customerId } = subscription;
  return {
    id,
    plan,
    customerId,
    status: subscriptionStatus(subscription),
    isConfirmed: confirmedBy !== null,
  };
}

export function billingEventTypeOf({ event, ...stored }: StoredBillingEvent): BillingEventType {
  const { id, source, receivedAt, processedAt, failure } = stored;
  const { type, at: happenedAt, plan } = event;
  return { id, source, type, happenedAt, plan, receivedAt, processedAt, failure };
}
