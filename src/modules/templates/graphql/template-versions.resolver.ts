/** A template's version history for the dashboard. */
import { Args, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TemplateVersionsService } from '../application/template-versions.service.js';
import { assertPage, LARGEST_PAGE } from '../domain/template-version.js';
import { RestoreTemplateInput, TemplateVersionInput, versionNoteOf } from '../input/template.input.js';
import { TemplateType, templateTypeOf } from './template.type.js';
import {
  TemplateVersionDiffType,
  TemplateVersionPageType,
  TemplateVersionType,
} from './template-version.type.js';

const USUAL_PAGE = 50;

@Resolver()
export class TemplateVersionsResolver {
  constructor(private readonly service: TemplateVersionsService) {}

  @Query(() => TemplateVersionPageType, {
    complexity: COST.list,
    description: `Versions of a template, newest first; a page has 1 to ${LARGEST_PAGE} of them.`,
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async templateVersions(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
    @Args('limit', { type: () => Int, defaultValue: USUAL_PAGE }) limit: number,
    @Args('offset', { type: () => Int, defaultValue: 0 }) offset: number,
  ): Promise<TemplateVersionPageType> {
    assertPage(limit, offset);
    return this.service.page(scopeOf(principal), slug, limit, offset);
  }

  @Query(() => TemplateVersionType, {
    complexity: COST.body,
    description:
      'The latest snapshot of a version; an error with the code template_version_not_found when there is none.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async templateVersion(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
    @Args('version', { type: () => Int }) version: number,
  ): Promise<TemplateVersionType> {
    return this.service.get(scopeOf(principal), slug, version);
  }

  @Query(() => TemplateVersionDiffType, {
    complexity: COST.computation,
    description:
      'What differs between two versions; without `to`, between one and the template as it stands.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async templateVersionDiff(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
    @Args('from', { type: () => Int }) from: number,
    @Args('to', { type: () => Int, nullable: true }) to: number | null | undefined,
  ): Promise<TemplateVersionDiffType> {
    return this.service.diff(scopeOf(principal), slug, from, to ?? undefined);
  }

  @Mutation(() => TemplateVersionType, {
    complexity: COST.change,
    description: 'Keeps a template as it stands, under its current version number.',
  })
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  async createTemplateVersion(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
    @Args('input', { defaultValue: {} }) input: TemplateVersionInput,
  ): Promise<TemplateVersionType> {
    return this.service.keep(scopeOf(principal), slug, versionNoteOf(input), actorOf(principal));
  }

  @Mutation(() => TemplateType, {
    complexity: COST.computation,
    description: 'Brings the content of a version back as the next one; name and subject stay as they are.',
  })
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  async restoreTemplateVersion(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
    @Args('version', { type: () => Int }) version: number,
    @Args('input', { defaultValue: {} }) input: RestoreTemplateInput,
  ): Promise<TemplateType> {
    return templateTypeOf(
      await this.service.restore(scopeOf(principal), slug, version, input, actorOf(principal)),
    );
  }
}
