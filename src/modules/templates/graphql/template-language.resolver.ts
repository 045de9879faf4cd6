/** Template languages for the dashboard, section 4.3: convert and detect-language, and those of other platforms. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TemplateLanguageService } from '../application/template-language.service.js';
import { ConvertTemplateArgs, DetectLanguageArgs } from '../input/template-language.input.js';
import { ForeignTemplateInput, foreignTemplateOf } from '../input/foreign-template.input.js';
import { foreignConversionTypeOf, ForeignTemplateConversionType } from './foreign-template.type.js';
import {
  TemplateConversionType,
  templateConversionTypeOf,
  TemplateLanguageDetectionType,
} from './template-language.type.js';

@Resolver()
export class TemplateLanguageResolver {
  constructor(private readonly languages: TemplateLanguageService) {}

  @Query(() => TemplateLanguageDetectionType, {
    complexity: COST.computation,
    description: 'Detects the language of a template.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async detectTemplateLanguage(
    @CurrentPrincipal() principal: Principal,
    @Args() { content }: DetectLanguageArgs,
  ): Promise<TemplateLanguageDetectionType> {
    return this.languages.detect(scopeOf(principal), content);
  }

  @Query(() => TemplateConversionType, {
    complexity: COST.computation,
    description: 'Converts a template between NLT and Jinja2. Nothing is saved.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async convertTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args() { content, direction }: ConvertTemplateArgs,
  ): Promise<TemplateConversionType> {
    return templateConversionTypeOf(await this.languages.convert(scopeOf(principal), content, direction));
  }

  @Query(() => ForeignTemplateConversionType, {
    complexity: COST.computation,
    description: 'Converts a template from another platform to NLT. Nothing is saved.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async convertForeignTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: ForeignTemplateInput,
  ): Promise<ForeignTemplateConversionType> {
    return foreignConversionTypeOf(
      await this.languages.convertForeign(scopeOf(principal), foreignTemplateOf(input)),
    );
  }
}
