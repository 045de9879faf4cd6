/** A template's version history for the dashboard. */
import { Args, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { connectionOf, type CountedConnection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TemplateVersionsService } from '../application/template-versions.service.js';
import { RestoreTemplateInput, TemplateVersionInput, versionNoteOf } from '../input/template.input.js';
import { TemplateVersionDiffArgs, TemplateVersionsArgs } from '../input/template-version-list.input.js';
import {
  TemplateVersionConnection,
  TemplateVersionDiffOutput,
  TemplateVersionOutput,
  type TemplateVersionSummaryOutput,
} from '../output/template-version.output.js';
import { TemplateOutput } from '../output/template.output.js';

/** List name in its cursors. */
const LIST = 'versions of a template';

@Resolver()
export class TemplateVersionsResolver {
  constructor(private readonly service: TemplateVersionsService) {}

  @Query(() => TemplateVersionConnection, {
    complexity: COST.list,
    description: 'Versions of a template, newest first.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async templateVersions(
    @CurrentPrincipal() principal: Principal,
    @Args() args: TemplateVersionsArgs,
  ): Promise<CountedConnection<TemplateVersionSummaryOutput>> {
    const page = { first: args.first, after: decodeCursor(LIST, args.after, KEY.number) };
    const { versions, total } = await this.service.page(scopeOf(principal), args.slug, page);
    const edgeOf = (version: TemplateVersionSummaryOutput): Edge<TemplateVersionSummaryOutput> => ({
      cursor: encodeCursor(LIST, { key: String(version.version), id: version.id }),
      node: version,
    });
    return { ...connectionOf(versions, args, edgeOf), totalCount: total };
  }

  @Query(() => TemplateVersionOutput, {
    complexity: COST.body,
    description:
      'Retrieves the latest snapshot of a version. Returns template_version_not_found if it does not exist.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async templateVersion(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
    @Args('version', { type: () => Int }) version: number,
  ): Promise<TemplateVersionOutput> {
    return this.service.get(scopeOf(principal), slug, version);
  }

  @Query(() => TemplateVersionDiffOutput, {
    complexity: COST.computation,
    description:
      'Differences between two versions, or between one version and the current one if `to` is omitted.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async templateVersionDiff(
    @CurrentPrincipal() principal: Principal,
    @Args() { slug, from, to }: TemplateVersionDiffArgs,
  ): Promise<TemplateVersionDiffOutput> {
    return this.service.diff(scopeOf(principal), slug, from, to);
  }

  @Mutation(() => TemplateVersionOutput, {
    complexity: COST.change,
    description: 'Saves a snapshot of a template under its current version number.',
  })
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  async createTemplateVersion(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
    @Args('input', { defaultValue: {} }) input: TemplateVersionInput,
  ): Promise<TemplateVersionOutput> {
    return this.service.createSnapshot(scopeOf(principal), slug, versionNoteOf(input), actorOf(principal));
  }

  @Mutation(() => TemplateOutput, {
    complexity: COST.computation,
    description: 'Restores the content of a version as a new version. The name and subject do not change.',
  })
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  async restoreTemplateVersion(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
    @Args('version', { type: () => Int }) version: number,
    @Args('input', { defaultValue: {} }) input: RestoreTemplateInput,
  ): Promise<TemplateOutput> {
    return this.service.restore(scopeOf(principal), slug, version, input, actorOf(principal));
  }
}
