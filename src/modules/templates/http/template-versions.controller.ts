/** REST endpoints for a template's version history, section 4.3. */
import { Body, Controller, Get, HttpCode, Param, Post, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TemplateVersionsService } from '../application/template-versions.service.js';
import { versionNumberOf } from '../domain/template-version.js';
import { RestoreTemplateInput, TemplateVersionInput, versionNoteOf } from '../input/template.input.js';
import { answerList } from '../../../platform/http/list-answer.js';
import { ListedTemplateVersionOutput, TemplateVersionOutput } from '../output/template-version.output.js';
import { TemplateOutput, templateOutput } from '../output/template.output.js';

@ApiTags('templates')
@ApiErrors('missing_permission', 'insufficient_scope', 'template_not_found')
@Controller('v1/templates/:slug/versions')
export class TemplateVersionsController {
  constructor(private readonly versions: TemplateVersionsService) {}

  @Get()
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'List the versions of a template, newest first, without body_html' })
  @ApiOkResponse({ type: [ListedTemplateVersionOutput] })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('slug') slug: string,
  ): Promise<object[] | StreamableFile> {
    const versions = await this.versions.list(scopeOf(principal), slug);
    return answerList(versions, (version) => restOf(ListedTemplateVersionOutput, version));
  }

  @Post()
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Save a snapshot of a template under its current version number' })
  @ApiBody({ type: TemplateVersionInput, required: false })
  @ApiCreatedResponse({ type: TemplateVersionOutput })
  @ApiErrors('validation_error', 'invalid_field')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('slug') slug: string,
    @Body() input: TemplateVersionInput,
  ): Promise<object> {
    const note = versionNoteOf(input);
    const created = await this.versions.createSnapshot(scopeOf(principal), slug, note, actorOf(principal));
    return restOf(TemplateVersionOutput, created);
  }

  @Get(':version_num')
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Retrieve the latest snapshot of a version' })
  @ApiOkResponse({ type: TemplateVersionOutput })
  @ApiErrors('template_version_not_found')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('slug') slug: string,
    @Param('version_num') version: string,
  ): Promise<object> {
    const found = await this.versions.get(scopeOf(principal), slug, versionNumberOf(version));
    return restOf(TemplateVersionOutput, found);
  }

  @Post(':version_num/restore')
  @HttpCode(200)
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  @ApiOperation({
    summary: 'Restore the content of a version as a new version; the name and subject do not change',
  })
  @ApiBody({ type: RestoreTemplateInput, required: false })
  @ApiOkResponse({ type: TemplateOutput })
  @ApiErrors('validation_error', 'invalid_field', 'template_version_not_found', 'conflict')
  async restore(
    @CurrentPrincipal() principal: Principal,
    @Param('slug') slug: string,
    @Param('version_num') version: string,
    @Body() note: RestoreTemplateInput,
  ): Promise<object> {
    const number = versionNumberOf(version);
    const template = await this.versions.restore(scopeOf(principal), slug, number, note, actorOf(principal));
    return restOf(TemplateOutput, templateOutput(template));
  }
}
