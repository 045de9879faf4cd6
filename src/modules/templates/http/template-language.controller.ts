/** REST endpoints for template languages, section 4.3: convert and detect-language. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TemplateLanguageService } from '../application/template-language.service.js';
import { ConvertTemplateInput, DetectLanguageInput } from '../input/template-language.input.js';
import { ConversionOutput, LanguageDetectionOutput } from '../output/template-language.output.js';

@ApiTags('templates')
@ApiErrors('missing_permission', 'insufficient_scope', 'validation_error', 'invalid_field', 'work_too_costly')
@Controller('v1/templates')
export class TemplateLanguageController {
  constructor(private readonly languages: TemplateLanguageService) {}

  @Post('convert')
  @HttpCode(200)
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Convert a template between NLT and Jinja2; nothing is saved' })
  @ApiOkResponse({ type: ConversionOutput })
  async convert(
    @CurrentPrincipal() principal: Principal,
    @Body() { content, direction }: ConvertTemplateInput,
  ): Promise<object> {
    const conversion = await this.languages.convert(scopeOf(principal), content, direction);
    return restOf(ConversionOutput, conversion);
  }

  @Post('detect-language')
  @HttpCode(200)
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Detect the language of a template' })
  @ApiOkResponse({ type: LanguageDetectionOutput })
  async detectLanguage(
    @CurrentPrincipal() principal: Principal,
    @Body() { content }: DetectLanguageInput,
  ): Promise<object> {
    return restOf(LanguageDetectionOutput, await this.languages.detect(scopeOf(principal), content));
  }
}
