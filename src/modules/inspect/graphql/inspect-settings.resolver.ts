/** Credits and config of quality analysis for the dashboard; calls the same methods as REST. */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { planOf } from '../../limits/domain/plan.js';
import { InspectConfigs } from '../application/inspect-configs.js';
import { InspectCredits } from '../application/inspect-credits.js';
import { InspectConfigInput } from '../input/inspect-config.input.js';
import { InspectConfigOutput, InspectCreditsOutput } from '../output/inspect-settings.output.js';

@Resolver()
export class InspectSettingsResolver {
  constructor(
    private readonly credits: InspectCredits,
    private readonly configs: InspectConfigs,
  ) {}

  @Query(() => InspectCreditsOutput, {
    complexity: COST.list,
    description: 'The remaining credits of this month and how credits were spent.',
  })
  @Requires({ permission: 'inspect:read' })
  async inspectCredits(@CurrentPrincipal() principal: Principal): Promise<InspectCreditsOutput> {
    return this.credits.account(scopeOf(principal), planOf(principal.plan));
  }

  @Query(() => InspectConfigOutput, {
    complexity: COST.record,
    description: 'Quality analysis settings of the workspace.',
  })
  @Requires({ permission: 'inspect:read' })
  async inspectConfig(@CurrentPrincipal() principal: Principal): Promise<InspectConfigOutput> {
    return this.configs.get(scopeOf(principal));
  }

  @Mutation(() => InspectConfigOutput, {
    complexity: COST.change,
    description: 'Updates the quality analysis settings. Omitted fields do not change.',
  })
  @Requires({ permission: 'inspect:write' })
  async updateInspectConfig(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: InspectConfigInput,
  ): Promise<InspectConfigOutput> {
    return this.configs.change(scopeOf(principal), input);
  }
}
