/** What is paid for the caller's workspace: for its owner alone (section 2.1). */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { cursorOf, KEY, placeOf } from '../../../kernel/place.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { connectionOf } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { BillingHistory } from '../application/billing-history.js';
import { BillingEventConnectionType, billingEventTypeOf, BillingType } from './billing.type.js';

/** Names its cursors. */
const LIST = 'billing events';

@Resolver(() => BillingType)
export class BillingResolver {
  constructor(private readonly history: BillingHistory) {}

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
}
