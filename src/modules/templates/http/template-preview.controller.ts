/** REST endpoints that preview templates before they are sent, section 4.3. */
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { PreviewContextService } from '../application/preview-context.service.js';
import { TemplatePreviewService } from '../application/template-preview.service.js';
import { PreviewContextQuery, previewQueryOf } from '../input/preview-context.input.js';
import { InlineContentInput, inlineContentOf, PreviewInput, sampleOf } from '../input/preview.input.js';
import {
  PreviewContextOutput,
  previewContextOutput,
  PreviewOutput,
  previewOutput,
  ValidationOutput,
  validationOutput,
} from '../output/template-preview.output.js';

@ApiTags('templates')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/templates')
export class TemplatePreviewController {
  constructor(
    private readonly previews: TemplatePreviewService,
    private readonly contexts: PreviewContextService,
  ) {}

  @Get('preview-context')
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({
    summary: 'Find a real contact and its events to use as preview data',
    description: 'Email addresses and phone numbers are masked without permission to read contacts.',
  })
  @ApiOkResponse({ type: PreviewContextOutput })
  @ApiErrors('invalid_event_name', 'invalid_field')
  async previewContext(
    @CurrentPrincipal() principal: Principal,
    @Query() query: PreviewContextQuery,
  ): Promise<object> {
    const previewQuery = previewQueryOf(query, 'query');
    const context = await this.contexts.find(scopeOf(principal), previewQuery, mayReadContacts(principal));
    return restOf(PreviewContextOutput, previewContextOutput(context));
  }

  @Post('validate')
  @HttpCode(200)
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Validate content and render it; nothing is saved' })
  @ApiOkResponse({ type: ValidationOutput })
  @ApiErrors('validation_error', 'invalid_field', 'work_too_costly')
  async validate(
    @CurrentPrincipal() principal: Principal,
    @Body() input: InlineContentInput,
  ): Promise<object> {
    const check = await this.previews.validate(scopeOf(principal), inlineContentOf(input));
    return restOf(ValidationOutput, validationOutput(check));
  }

  @Post('render-inline')
  @HttpCode(200)
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Render content with sample data; nothing is saved' })
  @ApiOkResponse({ type: PreviewOutput })
  @ApiErrors('validation_error', 'invalid_field', 'template_errors', 'work_too_costly')
  async renderInline(
    @CurrentPrincipal() principal: Principal,
    @Body() input: InlineContentInput,
  ): Promise<object> {
    const preview = await this.previews.renderInline(scopeOf(principal), inlineContentOf(input));
    return restOf(PreviewOutput, previewOutput(preview));
  }

  @Post(':slug/preview')
  @HttpCode(200)
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Render a template with sample data' })
  @ApiOkResponse({ type: PreviewOutput })
  @ApiErrors('validation_error', 'invalid_field', 'template_not_found', 'template_errors', 'work_too_costly')
  async preview(
    @CurrentPrincipal() principal: Principal,
    @Param('slug') slug: string,
    @Body() input: PreviewInput,
  ): Promise<object> {
    const preview = await this.previews.preview(scopeOf(principal), slug, sampleOf(input));
    return restOf(PreviewOutput, previewOutput(preview));
  }
}
