/** What is paid for a workspace, as its owner sees it. */
import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { aliveness, type Subscription } from '../domain/subscription.js';
import type { StoredBillingEvent } from '../persistence/billing-event.repository.js';

@ObjectType('BillingEvent', { description: 'What a payment provider has told.' })
export class BillingEventType {
  @Field(() => ID) id: string;
  @Field({ description: 'payment or billing: which provider.' }) source: string;
  @Field({ description: 'As the provider calls it.' }) type: string;
  @Field(() => GraphQLISODateTime) happenedAt: Date;
  @Field(() => String, { nullable: true }) plan: string | null;
  @Field(() => GraphQLISODateTime) receivedAt: Date;
  @Field(() => GraphQLISODateTime, { nullable: true }) processedAt: Date | null;
  @Field(() => String, { nullable: true, description: 'Why it was not applied.' }) failure: string | null;
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
  @Field(() => String, { nullable: true, description: 'The provider’s name of what is paid for.' })
  paymentSubscriptionId: string | null;
  @Field(() => String, { nullable: true, description: 'The provider’s name of who pays.' })
  paymentCustomerId: string | null;
}

@ObjectType('BillingSubscription', { description: 'A subscription that a payment provider has told of.' })
export class BillingSubscriptionType {
  @Field(() => ID, { description: 'The provider’s.' }) id: string;
  @Field() plan: string;
  @Field({ description: 'active, paused or cancelled' }) status: string;
  @Field({
    description:
      'Whether it is the workspace’s own; one that is not may add to the workspace, and take nothing away.',
  })
  isConfirmed: boolean;
  @Field(() => String, { nullable: true, description: 'The provider’s name of who pays.' })
  customerId: string | null;
}

@ObjectType('CheckoutToken')
export class CheckoutTokenType {
  @Field({ description: 'What the checkout is to carry as checkout_token.' }) token: string;
  @Field(() => GraphQLISODateTime, { description: 'Until when a purchase may begin.' }) expiresAt: Date;
}

export function billingSubscriptionTypeOf(subscription: Subscription): BillingSubscriptionType {
  const { id, plan, confirmedBy, customerId } = subscription;
  return { id, plan, customerId, status: aliveness(subscription), isConfirmed: confirmedBy !== null };
}

export function billingEventTypeOf({ event, ...stored }: StoredBillingEvent): BillingEventType {
  const { id, source, receivedAt, processedAt, failure } = stored;
  const { type, at: happenedAt, plan } = event;
  return { id, source, type, happenedAt, plan, receivedAt, processedAt, failure };
}
