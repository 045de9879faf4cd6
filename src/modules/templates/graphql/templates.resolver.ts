/** Templates for the dashboard. */
import { Args, Context, Float, ID, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { DomainError } from '../../../kernel/domain-error.js';
import type { JsonObject } from '../../../kernel/json.js';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import { loader, type GraphqlContext } from '../../../platform/graphql/loaders.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TemplateService } from '../application/template.service.js';
import { documentMetadata, type TemplateContents } from '../domain/template.js';
import { CreateTemplateInput, templateUpdateOf, UpdateTemplateInput } from '../input/template.input.js';
import { TemplateConnection, TemplateOutput } from '../output/template.output.js';

/** List name in its cursors. */
const LIST = 'templates';

@Resolver(() => TemplateOutput)
export class TemplatesResolver {
  constructor(private readonly service: TemplateService) {}

  @Query(() => TemplateConnection, {
    complexity: COST.list,
    description: 'Templates, most recently updated first.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async templates(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<Connection<Edge<TemplateOutput>>> {
    const page = { first: args.first, after: decodeCursor(LIST, args.after, KEY.moment) };
    return connectionOf(await this.service.summaries(scopeOf(principal), page), args, (template) => ({
      cursor: encodeCursor(LIST, { key: template.updatedAt.toISOString(), id: template.id }),
      node: template,
    }));
  }

  @Query(() => TemplateOutput, {
    complexity: COST.body,
    description: 'Retrieves a template. Returns template_not_found if it does not exist.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async template(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
  ): Promise<TemplateOutput> {
    return this.service.getBySlug(scopeOf(principal), slug);
  }

  @Mutation(() => TemplateOutput, {
    complexity: COST.computation,
    description: 'Creates a template. Validation findings never prevent saving.',
  })
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  async createTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: CreateTemplateInput,
  ): Promise<TemplateOutput> {
    return this.service.create(scopeOf(principal), input, actorOf(principal));
  }

  @Mutation(() => TemplateOutput, {
    complexity: COST.computation,
    description: 'Updates a template. The previous state is saved as a version.',
  })
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  async updateTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
    @Args('input') input: UpdateTemplateInput,
  ): Promise<TemplateOutput> {
    const { update, note } = templateUpdateOf(input, slug, 'graphql');
    return this.service.update(scopeOf(principal), slug, update, note, actorOf(principal));
  }

  @Mutation(() => ID, {
    complexity: COST.change,
    description: 'Deletes a template and all of its versions permanently. Returns its slug.',
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
    @Parent() template: TemplateOutput,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<string> {
    return template.bodyHtml ?? (await this.contentsOf(template, principal, context)).bodyHtml;
  }

  @ResolveField(() => String, { complexity: COST.body, description: 'Generated from bodyHtml.' })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async bodyText(
    @Parent() template: TemplateOutput,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<string> {
    return template.bodyText ?? (await this.contentsOf(template, principal, context)).bodyText;
  }

  @ResolveField(() => JsonScalar, { complexity: COST.body, nullable: true })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async bodyAst(
    @Parent() template: TemplateOutput,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<JsonObject | null> {
    if (template.bodyAst !== undefined) return template.bodyAst;
    return (await this.contentsOf(template, principal, context)).bodyAst;
  }

  @ResolveField(() => Float, {
    complexity: COST.body,
    nullable: true,
    description: 'The integer `schema_version` of bodyAst. Null if it has none.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async astSchemaVersion(
    @Parent() template: TemplateOutput,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<number | null> {
    return documentMetadata(await this.bodyAst(template, principal, context)).schemaVersion;
  }

  @ResolveField(() => String, {
    complexity: COST.body,
    nullable: true,
    description: 'The `renderer` of bodyAst. Null if it has none.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async rendererUsed(
    @Parent() template: TemplateOutput,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<string | null> {
    return documentMetadata(await this.bodyAst(template, principal, context)).renderer;
  }

  /** The bodies of a listed template, read in one batch with those of the other listed ones. */
  private contentsOf(
    { id, slug }: TemplateOutput,
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
          const notFound = new DomainError(
            'template_not_found',
            `The template ${slug} was deleted in the meantime.`,
          );
          return ids.map((requestedId) => byId.get(requestedId) ?? notFound);
        }),
    );
    return contents.load(id);
  }
}
