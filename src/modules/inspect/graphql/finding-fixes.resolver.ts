/** Mending of findings for the dashboard. */
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
  'Another version than the current one was examined; it needs its author; its fix overlaps that of one named before.',
);

@ObjectType('SkippedFix', { description: 'A finding that was not mended.' })
class SkippedFixType {
  @Field(() => ID) findingId: string;
  @Field(() => SkipReasonEnum) reason: SkipReason;
}

@ObjectType('AppliedFixes')
export class AppliedFixesType {
  @Field(() => ID) templateId: string;
  @Field(() => Int, { description: 'After the change; the same as before where nothing was mended.' })
  templateVersion: number;
  @Field(() => Int, { description: 'How many findings were mended.' }) applied: number;
  @Field(() => [ID]) appliedFindingIds: readonly string[];
  @Field(() => [SkippedFixType], { description: 'The others, each with why.' })
  skipped: readonly SkippedFix[];
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
    const fixed = await this.fixes.applyFixes(scopeOf(principal), templateSlug, findingIds, actor);
    const { template, applied, skipped } = fixed;
    return {
      ...{ templateId: template.id, templateVersion: template.version },
      ...{ applied: applied.length, appliedFindingIds: applied, skipped },
    };
  }
}
