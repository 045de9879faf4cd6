/** GraphQL queries that preview templates before they are sent: the same methods that REST calls. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { PreviewContextService } from '../application/preview-context.service.js';
import { TemplatePreviewService } from '../application/template-preview.service.js';
import { PreviewContextArgs, previewQueryOf } from '../input/preview-context.input.js';
import {
  InlineContentInput,
  inlineContentOf,
  PreviewTemplateArgs,
  sampleOf,
} from '../input/preview.input.js';
import {
  PreviewContextOutput,
  previewContextOutput,
  PreviewOutput,
  previewOutput,
  ValidationOutput,
  validationOutput,
} from '../output/template-preview.output.js';

@Resolver()
export class TemplatePreviewResolver {
  constructor(
    private readonly previews: TemplatePreviewService,
    private readonly contexts: PreviewContextService,
  ) {}

  @Query(() => PreviewOutput, {
    description: 'Renders a template with sample data, given with REST field names.',
    complexity: COST.computation,
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async previewTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args() { slug, ...sample }: PreviewTemplateArgs,
  ): Promise<PreviewOutput> {
    return previewOutput(await this.previews.preview(scopeOf(principal), slug, sampleOf(sample)));
  }

  @Query(() => PreviewOutput, {
    description: 'Renders content with sample data. Nothing is saved.',
    complexity: COST.computation,
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async renderTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: InlineContentInput,
  ): Promise<PreviewOutput> {
    return previewOutput(await this.previews.renderInline(scopeOf(principal), inlineContentOf(input)));
  }

  @Query(() => ValidationOutput, {
    description: 'Validates content and renders it. Nothing is saved.',
    complexity: COST.computation,
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async validateTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: InlineContentInput,
  ): Promise<ValidationOutput> {
    return validationOutput(await this.previews.validate(scopeOf(principal), inlineContentOf(input)));
  }

  @Query(() => PreviewContextOutput, {
    complexity: COST.list,
    description:
      'Finds a real contact and its events to use as preview data. Addresses are masked without permission to ' +
      'read contacts.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async templatePreviewContext(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PreviewContextArgs,
  ): Promise<PreviewContextOutput> {
    const previewQuery = previewQueryOf(args, 'graphql');
    return previewContextOutput(
      await this.contexts.find(scopeOf(principal), previewQuery, mayReadContacts(principal)),
    );
  }
}
