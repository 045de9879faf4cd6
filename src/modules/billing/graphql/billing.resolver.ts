/** What is paid for the caller's workspace: for its owner alone (section 2.1). */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { cursorOf, KEY, placeOf } from '../../../kernel/place.js';
import { scopeOf, type Author, type Principal } from '../../../kernel/principal.js';
import { connectionOf } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { BillingHistory } from '../application/billing-history.js';
import { CheckoutTokens } from '../application/checkout-tokens.js';
import { SubscriptionConfirmation } from '../application/subscription-confirmation.js';
import {
  BillingEventConnectionType,
  billingEventTypeOf,
  BillingSubscriptionType,
  billingSubscriptionTypeOf,
  BillingType,
  CheckoutTokenType,
} from './billing.type.js';

/** Names its cursors. */
const LIST = 'billing events';

@Resolver(() => BillingType)
export class BillingResolver {
  constructor(
    private readonly history: BillingHistory,
    private readonly confirmation: SubscriptionConfirmation,
    private readonly checkoutTokens: CheckoutTokens,
  ) {}

  @Query(() => BillingType, { complexity: COST.record, description: 'What is paid for the workspace.' })
  @Requires({ permission: 'billing:write' })
  async billing(@CurrentPrincipal() principal: Principal): Promise<BillingType> {
    return this.history.record(scopeOf(principal));
  }

  @Query(() => BillingEventConnectionType, {
    complexity: COST.list,
    description: 'What the payment provider has told, the newest first; of what was applied for 400 days.',
  })
  @Requires({ permission: 'billing:write' })
  async billingEvents(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<BillingEventConnectionType> {
    const page = { first: args.first, after: placeOf(LIST, args.after, KEY.none) };
    return connectionOf(await this.history.page(scopeOf(principal), page), args, (one) => ({
      cursor: cursorOf(LIST, { key: '', id: one.id }),
      node: billingEventTypeOf(one),
    }));
  }

  @Query(() => [BillingSubscriptionType], {
    complexity: COST.list,
    description: 'The subscriptions that pay for the workspace or did, confirmed ones first, at most 100.',
  })
  @Requires({ permission: 'billing:write' })
  async billingSubscriptions(@CurrentPrincipal() principal: Principal): Promise<BillingSubscriptionType[]> {
    const subscriptions = await this.confirmation.list(scopeOf(principal));
    return subscriptions.map(billingSubscriptionTypeOf);
  }

  @Mutation(() => CheckoutTokenType, {
    complexity: COST.record,
    description:
      'A token that shows a payment provider’s events to be about a purchase of the owner’s, for a purchase that begins ' +
      'within a day. The checkout carries it as checkout_token.',
  })
  @Requires({ permission: 'billing:write' })
  createCheckoutToken(@CurrentPrincipal() principal: Principal): CheckoutTokenType {
    return this.checkoutTokens.issue(scopeOf(principal));
  }

  @Mutation(() => BillingType, {
    complexity: COST.change,
    description:
      'Confirms a subscription that is paid as the workspace’s own. Until then it can only add to the workspace; from then ' +
      'on its pause suspends the workspace, and its end lowers the plan.',
  })
  @Requires({ permission: 'billing:write' })
  async confirmSubscription(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<BillingType> {
    return this.confirmation.confirm(scopeOf(principal), id, author);
  }
}
