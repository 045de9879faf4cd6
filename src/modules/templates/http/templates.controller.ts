/** REST endpoints for templates, section 4.3. */
import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Put,
  type StreamableFile,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TemplateService } from '../application/template.service.js';
import { CreateTemplateInput, templateUpdateOf, UpdateTemplateInput } from '../input/template.input.js';
import { answerList } from '../../../platform/http/list-answer.js';
import type { Template } from '../domain/template.js';
import { TemplateOutput, templateOutput } from '../output/template.output.js';

@ApiTags('templates')
@ApiErrors('missing_permission', 'insufficient_scope')
@Controller('v1/templates')
export class TemplatesController {
  constructor(private readonly templates: TemplateService) {}

  @Get()
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'List all templates, most recently updated first' })
  @ApiOkResponse({ type: [TemplateOutput] })
  async list(@CurrentPrincipal() principal: Principal): Promise<object[] | StreamableFile> {
    return answerList(await this.templates.list(scopeOf(principal)), presentTemplate);
  }

  @Post()
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Create a template; validation findings never prevent saving' })
  @ApiCreatedResponse({ type: TemplateOutput })
  @ApiErrors('validation_error', 'invalid_field', 'duplicate_slug')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() input: CreateTemplateInput,
  ): Promise<object> {
    return presentTemplate(await this.templates.create(scopeOf(principal), input, actorOf(principal)));
  }

  @Get(':slug')
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Retrieve a template' })
  @ApiOkResponse({ type: TemplateOutput })
  @ApiErrors('template_not_found')
  async get(@CurrentPrincipal() principal: Principal, @Param('slug') slug: string): Promise<object> {
    return presentTemplate(await this.templates.getBySlug(scopeOf(principal), slug));
  }

  @Put(':slug')
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  @ApiOperation({
    summary: 'Update a template; the previous state is saved as a version, omitted fields do not change',
  })
  @ApiOkResponse({ type: TemplateOutput })
  @ApiErrors('validation_error', 'invalid_field', 'template_not_found', 'conflict')
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('slug') slug: string,
    @Body() input: UpdateTemplateInput,
  ): Promise<object> {
    const { update, note } = templateUpdateOf(input, slug, 'body');
    return presentTemplate(
      await this.templates.update(scopeOf(principal), slug, update, note, actorOf(principal)),
    );
  }

  @Delete(':slug')
  @HttpCode(204)
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Delete a template and all of its versions permanently' })
  @ApiNoContentResponse({ description: 'The template was deleted. Flow steps that use it will fail.' })
  @ApiErrors('template_not_found')
  async remove(@CurrentPrincipal() principal: Principal, @Param('slug') slug: string): Promise<void> {
    await this.templates.remove(scopeOf(principal), slug, actorOf(principal));
  }
}

function presentTemplate(template: Template): object {
  return restOf(TemplateOutput, templateOutput(template));
}
