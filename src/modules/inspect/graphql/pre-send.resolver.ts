/** Overrides and the check before sending, for the dashboard; calls the same methods as REST. */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { type Author, type Principal, scopeOf } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { OverrideService } from '../application/override.service.js';
import { PreSendCheck } from '../application/pre-send-check.js';
import { InspectOverrideInput, PreSendCheckArgs } from '../input/override.input.js';
import { InspectOverrideOutput, PreSendCheckOutput } from '../output/pre-send.output.js';

@Resolver()
export class PreSendResolver {
  constructor(
    private readonly overrides: OverrideService,
    private readonly checks: PreSendCheck,
  ) {}

  @Query(() => PreSendCheckOutput, {
    complexity: COST.computation,
    description:
      'Checks whether a template can be sent. If blocking is set to block, a version that was never inspected ' +
      'gets a quick run first.',
  })
  @Requires({ permission: 'inspect:read' })
  async preSendCheck(
    @CurrentPrincipal() principal: Principal,
    @Args() { templateSlug, overrideToken }: PreSendCheckArgs,
  ): Promise<PreSendCheckOutput> {
    return this.checks.check(scopeOf(principal), templateSlug, overrideToken ?? null);
  }

  @Mutation(() => InspectOverrideOutput, {
    complexity: COST.change,
    description:
      'Creates a token that allows the current version of a template to be sent despite critical findings.',
  })
  @Requires({ permission: 'inspect:write' })
  async createInspectOverride(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args('input') { templateSlug, reason }: InspectOverrideInput,
  ): Promise<InspectOverrideOutput> {
    return this.overrides.create(scopeOf(principal), templateSlug, reason, author);
  }
}
