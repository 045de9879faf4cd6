/** REST of templates, section 4.3. */
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import { Requires } from '../../auth/requires.decorator.js';
import { TemplateService } from '../application/template.service.js';
import { readTemplate } from '../domain/read-template.js';
import { CreateTemplateBody, presentTemplate, TemplateResponse } from './template.presenter.js';

@ApiTags('templates')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/templates')
export class TemplatesController {
  constructor(private readonly templates: TemplateService) {}

  @Get()
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'All templates, the most recently updated first' })
  @ApiOkResponse({ type: [TemplateResponse] })
  async list(@CurrentPrincipal() principal: Principal): Promise<TemplateResponse[]> {
    return (await this.templates.list(scopeOf(principal))).map(presentTemplate);
  }

  @Post()
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Create a template; validation findings never keep it from being saved' })
  @ApiBody({ type: CreateTemplateBody })
  @ApiCreatedResponse({ type: TemplateResponse })
  @ApiErrors('validation_error', 'invalid_field', 'duplicate_slug')
  async create(@CurrentPrincipal() principal: Principal, @Body() body: unknown): Promise<TemplateResponse> {
    const input = readTemplate(body);
    return presentTemplate(await this.templates.create(scopeOf(principal), input, actorOf(principal)));
  }

  @Get(':slug')
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'One template' })
  @ApiOkResponse({ type: TemplateResponse })
  @ApiErrors('template_not_found')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('slug') slug: string,
  ): Promise<TemplateResponse> {
    return presentTemplate(await this.templates.getBySlug(scopeOf(principal), slug));
  }
}
