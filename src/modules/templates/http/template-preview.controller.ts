/** REST of looking at templates before anybody receives them, section 4.3. */
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { PreviewContextService } from '../application/preview-context.service.js';
import { TemplatePreviewService } from '../application/template-preview.service.js';
import { readPreviewQuery } from '../domain/read-preview-query.js';
import { readInline, readSample } from '../domain/read-preview.js';
import { PreviewContextQuery } from './preview-context.query.js';
import {
  InlineBody,
  presentCheck,
  presentPreview,
  presentPreviewContext,
  PreviewBody,
  PreviewContextResponse,
  PreviewResponse,
  ValidationResponse,
} from './template-preview.presenter.js';

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
    summary: 'A contact and its events to preview with; never made-up data',
    description: 'Email addresses and phone numbers are masked for whoever may not read contacts.',
  })
  @ApiOkResponse({ type: PreviewContextResponse })
  @ApiErrors('invalid_event_name', 'invalid_field')
  async previewContext(
    @CurrentPrincipal() principal: Principal,
    @Query() query: PreviewContextQuery,
  ): Promise<PreviewContextResponse> {
    const wanted = readPreviewQuery(query.event_name, query.additional_events?.split(','), query.contact_id);
    return presentPreviewContext(
      await this.contexts.find(scopeOf(principal), wanted, mayReadContacts(principal)),
    );
  }

  @Post('validate')
  @HttpCode(200)
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'What is wrong with content, and what it would look like; nothing is saved' })
  @ApiBody({ type: InlineBody })
  @ApiOkResponse({ type: ValidationResponse })
  @ApiErrors('validation_error', 'invalid_field', 'work_too_costly')
  async validate(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
  ): Promise<ValidationResponse> {
    return presentCheck(await this.previews.validate(scopeOf(principal), readInline(body), null));
  }

  @Post('render-inline')
  @HttpCode(200)
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Render content with sample data; nothing is saved' })
  @ApiBody({ type: InlineBody })
  @ApiOkResponse({ type: PreviewResponse })
  @ApiErrors('validation_error', 'invalid_field', 'template_errors', 'work_too_costly')
  async renderInline(
    @CurrentPrincipal() principal: Principal,
    @Body() body: unknown,
  ): Promise<PreviewResponse> {
    return presentPreview(await this.previews.renderInline(scopeOf(principal), readInline(body), null));
  }

  @Post(':slug/preview')
  @HttpCode(200)
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Render a template with sample data' })
  @ApiBody({ type: PreviewBody })
  @ApiOkResponse({ type: PreviewResponse })
  @ApiErrors('validation_error', 'invalid_field', 'template_not_found', 'template_errors', 'work_too_costly')
  async preview(
    @CurrentPrincipal() principal: Principal,
    @Param('slug') slug: string,
    @Body() body: unknown,
  ): Promise<PreviewResponse> {
    return presentPreview(await this.previews.preview(scopeOf(principal), slug, readSample(body)));
  }
}
