/** Preflight for the dashboard, of saved templates and of drafts in the editor. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { PreflightContentArgs } from '../../templates/input/preview.input.js';
import { PreflightService } from '../application/preflight.service.js';
import { PreflightOutput } from '../output/preflight.output.js';

@Resolver()
export class PreflightResolver {
  constructor(private readonly preflights: PreflightService) {}

  @Query(() => PreflightOutput, {
    description: 'Checks a saved template before it is sent.',
    complexity: COST.computation,
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async preflightTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
  ): Promise<PreflightOutput> {
    return this.preflights.checkTemplate(scopeOf(principal), slug);
  }

  @Query(() => PreflightOutput, {
    description: 'Checks unsaved content in the same way as preflightTemplate.',
    complexity: COST.computation,
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async preflightContent(
    @CurrentPrincipal() principal: Principal,
    @Args() { bodyHtml, subject, templateLanguage }: PreflightContentArgs,
  ): Promise<PreflightOutput> {
    const content = { bodyHtml, subject: subject ?? null, templateLanguage: templateLanguage ?? null };
    return this.preflights.checkContent(scopeOf(principal), content);
  }
}
