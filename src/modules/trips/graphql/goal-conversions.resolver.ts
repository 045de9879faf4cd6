/** GraphQL query for conversions of a flow's goals. Calls the same method as REST. */
import { Args, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { FlowOutput } from '../../flows/output/flow.output.js';
import { GoalConversionsService } from '../application/goal-conversions.service.js';
import { GoalConversionsArgs } from '../input/goal-conversions.input.js';
import { FlowConversionsOutput, flowConversionsOutput } from '../output/goal-conversions.output.js';

@Resolver(() => FlowOutput)
export class GoalConversionsResolver {
  constructor(private readonly service: GoalConversionsService) {}

  @ResolveField(() => FlowConversionsOutput, {
    complexity: COST.search,
    description: 'Conversions per goal among trips that entered in the period, the last 30 days by default.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async goalConversions(
    @Parent() flow: FlowOutput,
    @CurrentPrincipal() principal: Principal,
    @Args() args: GoalConversionsArgs,
  ): Promise<FlowConversionsOutput> {
    return flowConversionsOutput(await this.service.ofFlow(scopeOf(principal), flow.id, args));
  }
}
