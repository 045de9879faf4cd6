/** Templates for the dashboard. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import { Requires } from '../../auth/requires.decorator.js';
import { TemplateService } from '../application/template.service.js';
import { TemplateType, templateTypeOf } from './template.type.js';

@Resolver(() => TemplateType)
export class TemplatesResolver {
  constructor(private readonly service: TemplateService) {}

  @Query(() => [TemplateType], { description: 'All templates, the most recently updated first.' })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async templates(@CurrentPrincipal() principal: Principal): Promise<TemplateType[]> {
    return (await this.service.list(scopeOf(principal))).map(templateTypeOf);
  }

  @Query(() => TemplateType, {
    description: 'One template; an error with the code template_not_found when there is none.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async template(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
  ): Promise<TemplateType> {
    return templateTypeOf(await this.service.getBySlug(scopeOf(principal), slug));
  }
}
