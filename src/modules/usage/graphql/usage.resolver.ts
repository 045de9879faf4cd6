/** The usage of the caller's plan. Every member may see it, because limit errors reveal the same to every caller. */
import { Query, Resolver } from '@nestjs/graphql';
import { type Principal, scopeOf } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { UsageService } from '../application/usage.service.js';
import { UsageType, usageTypeOf } from './usage.type.js';

@Resolver(() => UsageType)
export class UsageResolver {
  constructor(private readonly service: UsageService) {}

  @Query(() => UsageType, {
    complexity: COST.search,
    description: 'Usage of each plan limit, in both environments.',
  })
  @Requires({})
  async usage(@CurrentPrincipal() principal: Principal): Promise<UsageType> {
    return usageTypeOf(await this.service.overview(scopeOf(principal), principal.plan));
  }
}
