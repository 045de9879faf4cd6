/** Template languages for the dashboard, section 4.3: convert and detect-language, and those of other platforms. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TemplateLanguageService } from '../application/template-language.service.js';
import { ConvertTemplateArgs, DetectLanguageArgs } from '../input/template-language.input.js';
import { ForeignTemplateInput, foreignTemplateOf } from '../input/foreign-template.input.js';
import {
  ConversionOutput,
  ForeignConversionOutput,
  LanguageDetectionOutput,
} from '../output/template-language.output.js';

@Resolver()
export class TemplateLanguageResolver {
  constructor(private readonly languages: TemplateLanguageService) {}

  @Query(() => LanguageDetectionOutput, {
    complexity: COST.computation,
    description: 'Detects the language of a template.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async detectTemplateLanguage(
    @CurrentPrincipal() principal: Principal,
    @Args() { content }: DetectLanguageArgs,
  ): Promise<LanguageDetectionOutput> {
    return this.languages.detect(scopeOf(principal), content);
  }

  @Query(() => ConversionOutput, {
    complexity: COST.computation,
    description: 'Converts a template between NLT and Jinja2. Nothing is saved.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async convertTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args() { content, direction }: ConvertTemplateArgs,
  ): Promise<ConversionOutput> {
    return this.languages.convert(scopeOf(principal), content, direction);
  }

  @Query(() => ForeignConversionOutput, {
    complexity: COST.computation,
    description: 'Converts a template from another platform to NLT. Nothing is saved.',
  })
  @Requires({ permission: 'templates:read', keyScopes: ['management'] })
  async convertForeignTemplate(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: ForeignTemplateInput,
  ): Promise<ForeignConversionOutput> {
    return this.languages.convertForeign(scopeOf(principal), foreignTemplateOf(input));
  }
}
