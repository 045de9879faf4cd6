/** The usage of the caller's plan. Every member may see it, because limit errors reveal the same to every caller. */
import { Query, Resolver } from '@nestjs/graphql';
import { type Principal, scopeOf } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { UsageService } from '../application/usage.service.js';
import { UsageOutput, usageOutput } from '../output/usage.output.js';

@Resolver(() => UsageOutput)
export class UsageResolver {
  constructor(private readonly service: UsageService) {}

  @Query(() => UsageOutput, {
    complexity: COST.search,
    description: 'Usage of each plan limit, in both environments.',
  })
  @Requires({})
  async usage(@CurrentPrincipal() principal: Principal): Promise<UsageOutput> {
    return usageOutput(await this.service.overview(scopeOf(principal), principal.plan));
  }
}
