/** GraphQL query for conversions of a flow's goals. Calls the same method as REST. */
import { Args, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { FlowType } from '../../flows/graphql/flow.type.js';
import { GoalConversionsService } from '../application/goal-conversions.service.js';
import { GoalConversionsArgs } from '../input/goal-conversions.input.js';
import { FlowConversionsType } from './goal-conversions.type.js';

@Resolver(() => FlowType)
export class GoalConversionsResolver {
  constructor(private readonly service: GoalConversionsService) {}

  @ResolveField(() => FlowConversionsType, {
    complexity: COST.search,
    description: 'Conversions per goal among trips that entered in the period, the last 30 days by default.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async goalConversions(
    @Parent() flow: FlowType,
    @CurrentPrincipal() principal: Principal,
    @Args() args: GoalConversionsArgs,
  ): Promise<FlowConversionsType> {
    return this.service.ofFlow(scopeOf(principal), flow.id, args);
  }
}
