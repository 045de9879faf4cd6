/** Templates for the dashboard. */
import { Args, Context, Float, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { DomainError } from '../../../kernel/domain-error.js';
import type { JsonObject } from '../../../kernel/json.js';
import { cursorOf, KEY, placeOf } from '../../../kernel/place.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { connectionOf } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import { loader, type GraphqlContext } from '../../../platform/graphql/loaders.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TemplateService } from '../application/template.service.js';
import { documentFacts, type TemplateContents } from '../domain/template.js';
import { CreateTemplateInput, templateUpdateOf, UpdateTemplateInput } from '../input/template.input.js';
import { TemplateConnectionType, TemplateType, templateTypeOf } from './template.type.js';

/** Names its cursors. */
const LIST = 'templates';

@Resolver(() => TemplateType)
export class TemplatesResolver {
  constructor(private readonly service: TemplateService) {}

  @Query(() => TemplateConnectionType, {
    complexity: COST.list,
    description: 'Templates, the most recently updated first.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async templates(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<TemplateConnectionType> {
    const page = { first: args.first, after: placeOf(LIST, args.after, KEY.moment) };
    return connectionOf(await this.service.summaries(scopeOf(principal), page), args, (template) => ({
      cursor: cursorOf(LIST, { key: template.updatedAt.toISOString(), id: template.id }),
      node: templateTypeOf(template),
    }));
  }

  @Query(() => TemplateType, {
    complexity: COST.body,
    description: 'One template; an error with the code template_not_found when there is none.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async template(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
  ): Promise<TemplateType> {
    return templateTypeOf(await this.service.getBySlug(scopeOf(principal), slug));
  }

  @Mutation(() => TemplateType, {
    complexity: COST.computation,
    description: 'Makes a template; validation findings never keep it from being saved.',
  })
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  async createTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: CreateTemplateInput,
  ): Promise<TemplateType> {
    return templateTypeOf(await this.service.create(scopeOf(principal), input, actorOf(principal)));
  }

  @Mutation(() => TemplateType, {
    complexity: COST.computation,
    description: 'Changes a template; the state before it is kept as a version.',
  })
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  async updateTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
    @Args('input') input: UpdateTemplateInput,
  ): Promise<TemplateType> {
    const { update, note } = templateUpdateOf(input, slug, 'graphql');
    return templateTypeOf(
      await this.service.update(scopeOf(principal), slug, update, note, actorOf(principal)),
    );
  }

  @Mutation(() => ID, {
    complexity: COST.change,
    description: 'Removes a template and all of its versions for good; gives its slug.',
  })
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  async deleteTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
  ): Promise<string> {
    await this.service.remove(scopeOf(principal), slug, actorOf(principal));
    return slug;
  }

  @ResolveField(() => String, { complexity: COST.body })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async bodyHtml(
    @Parent() template: Resolved,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<string> {
    return template.bodyHtml ?? (await this.contentsOf(template, principal, context)).bodyHtml;
  }

  @ResolveField(() => String, { complexity: COST.body, description: 'Made from bodyHtml.' })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async bodyText(
    @Parent() template: Resolved,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<string> {
    return template.bodyText ?? (await this.contentsOf(template, principal, context)).bodyText;
  }

  @ResolveField(() => JsonScalar, { complexity: COST.body, nullable: true })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async bodyAst(
    @Parent() template: Resolved,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<JsonObject | null> {
    if (template.bodyAst !== undefined) return template.bodyAst;
    return (await this.contentsOf(template, principal, context)).bodyAst;
  }

  @ResolveField(() => Float, {
    complexity: COST.body,
    nullable: true,
    description: 'The whole number `schema_version` of bodyAst, where it has one.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async astSchemaVersion(
    @Parent() template: Resolved,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<number | null> {
    return documentFacts(await this.bodyAst(template, principal, context)).schemaVersion;
  }

  @ResolveField(() => String, {
    complexity: COST.body,
    nullable: true,
    description: '`renderer` of bodyAst, where it has one.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async rendererUsed(
    @Parent() template: Resolved,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<string | null> {
    return documentFacts(await this.bodyAst(template, principal, context)).renderer;
  }

  /** The bodies of a template that a list gave, read together with those of the others. */
  private contentsOf(
    { id, slug }: TemplateType,
    principal: Principal,
    context: GraphqlContext,
  ): Promise<TemplateContents> {
    const contents = loader(
      context,
      'templates.contents',
      () =>
        new DataLoader<string, TemplateContents>(async (ids) => {
          const found = await this.service.contents(scopeOf(principal), ids);
          const byId = new Map(found.map((template) => [template.id, template]));
          const gone = new DomainError('template_not_found', `The template ${slug} was deleted meanwhile.`);
          return ids.map((asked) => byId.get(asked) ?? gone);
        }),
    );
    return contents.load(id);
  }
}

/** A template that may hold its bodies already. */
type Resolved = TemplateType & Partial<TemplateContents>;
