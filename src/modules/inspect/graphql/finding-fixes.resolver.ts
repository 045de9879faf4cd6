/** Fixes findings from the dashboard. */
import { Args, Field, ID, Int, Mutation, ObjectType, Resolver } from '@nestjs/graphql';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { FindingFixes } from '../application/finding-fixes.js';
import { SKIP_REASONS, type SkippedFix, type SkipReason } from '../domain/fixes/skipped-fix.js';
import { ApplyFixesInput } from '../input/apply-fixes.input.js';

const SkipReasonEnum = graphqlEnum(
  'FixSkipReason',
  SKIP_REASONS,
  'Why a finding was not fixed: a version other than the current one was inspected; only its author can ' +
    'fix it; its fix overlaps an earlier one.',
);

@ObjectType('SkippedFix', { description: 'A finding that was not fixed.' })
class SkippedFixType {
  @Field(() => ID) findingId: string;
  @Field(() => SkipReasonEnum) reason: SkipReason;
}

@ObjectType('AppliedFixes')
export class AppliedFixesType {
  @Field(() => ID) templateId: string;
  @Field(() => Int, { description: 'The template version after the fixes. Unchanged if nothing was fixed.' })
  templateVersion: number;
  @Field(() => Int, { description: 'Number of findings that were fixed.' }) applied: number;
  @Field(() => [ID]) appliedFindingIds: readonly string[];
  @Field(() => [SkippedFixType], { description: 'Findings that were not fixed, with the reason.' })
  skipped: readonly SkippedFix[];
}

@Resolver()
export class FindingFixesResolver {
  constructor(private readonly fixes: FindingFixes) {}

  @Mutation(() => AppliedFixesType, {
    complexity: COST.change,
    description: 'Fixes findings that can be fixed automatically and saves the template as a new version.',
  })
  @Requires({ permission: 'templates:write' })
  async applyFixes(
    @CurrentPrincipal() principal: Principal,
    @Args('input') { templateSlug, findingIds }: ApplyFixesInput,
  ): Promise<AppliedFixesType> {
    const actor = actorOf(principal);
    const fixed = await this.fixes.applyFixes(scopeOf(principal), templateSlug, findingIds, actor);
    const { template, applied, skipped } = fixed;
    return {
      ...{ templateId: template.id, templateVersion: template.version },
      ...{ applied: applied.length, appliedFindingIds: applied, skipped },
    };
  }
}
