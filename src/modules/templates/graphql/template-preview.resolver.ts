/** Looking at templates before anybody receives them, for the dashboard: the same methods that REST calls. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import type { JsonObject } from '../../../kernel/json.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { JsonScalar } from '../../../platform/graphql/json.scalar.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { PreviewContextService } from '../application/preview-context.service.js';
import { TemplatePreviewService } from '../application/template-preview.service.js';
import { readPreviewQuery } from '../domain/read-preview-query.js';
import { readSample } from '../domain/read-preview.js';
import { InlineTemplateInput, readInlineInput } from './template-preview.input.js';
import {
  previewContextTypeOf,
  previewTypeOf,
  TemplatePreviewContextType,
  TemplatePreviewType,
  TemplateValidationType,
  validationTypeOf,
} from './template-preview.type.js';

const optional = { type: () => JsonScalar, nullable: true } as const;

@Resolver()
export class TemplatePreviewResolver {
  constructor(
    private readonly previews: TemplatePreviewService,
    private readonly contexts: PreviewContextService,
  ) {}

  @Query(() => TemplatePreviewType, {
    description: 'A template rendered with sample data, which is given as REST takes it.',
    complexity: COST.computation,
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async previewTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('slug') slug: string,
    @Args('contact', optional) contact?: JsonObject | null,
    @Args('triggerEvent', optional) triggerEvent?: JsonObject | null,
    @Args('additionalEvents', optional) additionalEvents?: JsonObject | null,
  ): Promise<TemplatePreviewType> {
    const sample = readSample({
      contact,
      trigger_event: triggerEvent,
      additional_events: additionalEvents,
    });
    return previewTypeOf(await this.previews.preview(scopeOf(principal), slug, sample));
  }

  @Query(() => TemplatePreviewType, {
    description: 'Content rendered with sample data; nothing is saved.',
    complexity: COST.computation,
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async renderTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: InlineTemplateInput,
  ): Promise<TemplatePreviewType> {
    const { content, language } = readInlineInput(input);
    return previewTypeOf(await this.previews.renderInline(scopeOf(principal), content, language));
  }

  @Query(() => TemplateValidationType, {
    description: 'What is wrong with content, and what it would look like; nothing is saved.',
    complexity: COST.computation,
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async validateTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: InlineTemplateInput,
  ): Promise<TemplateValidationType> {
    const { content, language } = readInlineInput(input);
    return validationTypeOf(await this.previews.validate(scopeOf(principal), content, language));
  }

  @Query(() => TemplatePreviewContextType, {
    complexity: COST.list,
    description:
      'A contact and its events to preview with; never made-up data. Addresses are masked for whoever may not read contacts.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async templatePreviewContext(
    @CurrentPrincipal() principal: Principal,
    @Args('eventName', { type: () => String, nullable: true }) eventName?: string | null,
    @Args('additionalEvents', { type: () => [String], nullable: true }) additionalEvents?: string[] | null,
    @Args('contactId', { type: () => String, nullable: true }) contactId?: string | null,
  ): Promise<TemplatePreviewContextType> {
    const wanted = readPreviewQuery(eventName, additionalEvents, contactId);
    return previewContextTypeOf(
      await this.contexts.find(scopeOf(principal), wanted, mayReadContacts(principal)),
    );
  }
}
