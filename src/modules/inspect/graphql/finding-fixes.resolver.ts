/** Mending of findings for the dashboard. */
import { Args, Field, ID, Int, Mutation, ObjectType, Resolver } from '@nestjs/graphql';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { FindingFixes } from '../application/finding-fixes.js';
import { ApplyFixesInput } from '../input/apply-fixes.input.js';

@ObjectType('AppliedFixes')
export class AppliedFixesType {
  @Field(() => ID) templateId: string;
  @Field(() => Int, { description: 'After the change.' }) templateVersion: number;
  @Field(() => Int, { description: 'Findings that were mended; the others are for their author.' })
  applied: number;
}

@Resolver()
export class FindingFixesResolver {
  constructor(private readonly fixes: FindingFixes) {}

  @Mutation(() => AppliedFixesType, {
    complexity: COST.change,
    description: 'Mends findings in their template where that is mechanical, as a new version.',
  })
  @Requires({ permission: 'templates:write' })
  async applyFixes(
    @CurrentPrincipal() principal: Principal,
    @Args('input') { templateSlug, findingIds }: ApplyFixesInput,
  ): Promise<AppliedFixesType> {
    const actor = actorOf(principal);
    const { template, applied } = await this.fixes.applyFixes(
      scopeOf(principal),
      templateSlug,
      findingIds,
      actor,
    );
    return { templateId: template.id, templateVersion: template.version, applied };
  }
}
