/** Fixes findings from the dashboard. */
import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { FindingFixes } from '../application/finding-fixes.js';
import { ApplyFixesInput } from '../input/apply-fixes.input.js';
import { AppliedFixesOutput, appliedFixesOutput } from '../output/applied-fixes.output.js';

@Resolver()
export class FindingFixesResolver {
  constructor(private readonly fixes: FindingFixes) {}

  @Mutation(() => AppliedFixesOutput, {
    complexity: COST.change,
    description: 'Fixes findings that can be fixed automatically and saves the template as a new version.',
  })
  @Requires({ permission: 'templates:write' })
  async applyFixes(
    @CurrentPrincipal() principal: Principal,
    @Args('input') { templateSlug, findingIds }: ApplyFixesInput,
  ): Promise<AppliedFixesOutput> {
    const actor = actorOf(principal);
    const fixed = await this.fixes.applyFixes(scopeOf(principal), templateSlug, findingIds, actor);
    return appliedFixesOutput(fixed);
  }
}
