/** Billing of the caller's workspace, for its owner only (section 2.1). */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { scopeOf, type Author, type Principal } from '../../../kernel/principal.js';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { BillingHistory } from '../application/billing-history.js';
import { CheckoutTokens } from '../application/checkout-tokens.js';
import { SubscriptionConfirmation } from '../application/subscription-confirmation.js';
import {
  BillingEventConnection,
  type BillingEventOutput,
  billingEventOutput,
  BillingOutput,
  BillingSubscriptionOutput,
  billingSubscriptionOutput,
  CheckoutTokenOutput,
} from '../output/billing.output.js';

/** The name of this list in its cursors. */
const LIST = 'billing events';

@Resolver(() => BillingOutput)
export class BillingResolver {
  constructor(
    private readonly history: BillingHistory,
    private readonly confirmation: SubscriptionConfirmation,
    private readonly checkoutTokens: CheckoutTokens,
  ) {}

  @Query(() => BillingOutput, { complexity: COST.record, description: 'The workspace’s billing state.' })
  @Requires({ permission: 'billing:write' })
  async billing(@CurrentPrincipal() principal: Principal): Promise<BillingOutput> {
    return this.history.record(scopeOf(principal));
  }

  @Query(() => BillingEventConnection, {
    complexity: COST.list,
    description:
      'Events received from the payment providers, newest first. Applied events are kept for 400 days.',
  })
  @Requires({ permission: 'billing:write' })
  async billingEvents(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<Connection<Edge<BillingEventOutput>>> {
    const page = { first: args.first, after: decodeCursor(LIST, args.after, KEY.none) };
    return connectionOf(await this.history.page(scopeOf(principal), page), args, (one) => ({
      cursor: encodeCursor(LIST, { key: '', id: one.id }),
      node: billingEventOutput(one),
    }));
  }

  @Query(() => [BillingSubscriptionOutput], {
    complexity: COST.list,
    description: 'Current and past subscriptions of the workspace, confirmed ones first; at most 100.',
  })
  @Requires({ permission: 'billing:write' })
  async billingSubscriptions(@CurrentPrincipal() principal: Principal): Promise<BillingSubscriptionOutput[]> {
    const subscriptions = await this.confirmation.list(scopeOf(principal));
    return subscriptions.map(billingSubscriptionOutput);
  }

  @Mutation(() => CheckoutTokenOutput, {
    complexity: COST.record,
    description:
      'Creates a token that identifies a payment provider’s events as belonging to the owner’s purchase. Pass ' +
      'it to the checkout as checkout_token. The purchase must start within 24 hours.',
  })
  @Requires({ permission: 'billing:write' })
  createCheckoutToken(@CurrentPrincipal() principal: Principal): CheckoutTokenOutput {
    return this.checkoutTokens.issue(scopeOf(principal));
  }

  @Mutation(() => BillingOutput, {
    complexity: COST.change,
    description:
      'Confirms a paid subscription as the workspace’s own. An unconfirmed subscription can only raise the ' +
      'plan. Once it is confirmed, pausing it suspends the workspace and ending it lowers the plan.',
  })
  @Requires({ permission: 'billing:write' })
  async confirmSubscription(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<BillingOutput> {
    return this.confirmation.confirm(scopeOf(principal), id, author);
  }
}
