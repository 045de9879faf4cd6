/** Preflight for the dashboard, of saved templates and of drafts in the editor. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { PreflightContentArgs } from '../../templates/input/preview.input.js';
import { PreflightService } from '../application/preflight.service.js';
import { PreflightType, preflightTypeOf } from './preflight.type.js';

@Resolver()
export class PreflightResolver {
  constructor(private readonly preflights: PreflightService) {}

  @Query(() => PreflightType, {
    description: 'Checks a saved template before it is sent.',
    complexity: COST.computation,
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async preflightTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
  ): Promise<PreflightType> {
    return preflightTypeOf(await this.preflights.checkTemplate(scopeOf(principal), slug));
  }

  @Query(() => PreflightType, {
    description: 'Checks unsaved content in the same way as preflightTemplate.',
    complexity: COST.computation,
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async preflightContent(
    @CurrentPrincipal() principal: Principal,
    @Args() { bodyHtml, subject, templateLanguage }: PreflightContentArgs,
  ): Promise<PreflightType> {
    const content = { bodyHtml, subject: subject ?? null, templateLanguage: templateLanguage ?? null };
    return preflightTypeOf(await this.preflights.checkContent(scopeOf(principal), content));
  }
}
