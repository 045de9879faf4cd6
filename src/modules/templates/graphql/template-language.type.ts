/** What the dashboard is told about the language of a template. */
import { Field, Int, ObjectType } from '@nestjs/graphql';
import {
  DETECTED_LANGUAGES,
  type DetectedLanguage,
  type DirectedConversion,
} from '../../../language/language.js';
import { graphqlEnum } from '../../../platform/input/enums.js';

const DetectedLanguageEnum = graphqlEnum('DetectedTemplateLanguage', DETECTED_LANGUAGES);

@ObjectType('TemplateLanguageDetection')
export class TemplateLanguageDetectionType {
  @Field(() => DetectedLanguageEnum) language: DetectedLanguage;
  @Field(() => Int, { description: 'Expressions of NLT.' }) nltCount: number;
  @Field(() => Int, { description: 'Expressions of Jinja2.' }) jinja2Count: number;
}

@ObjectType('TemplateConversion')
export class TemplateConversionType {
  @Field() content: string;
  @Field(() => Int, { description: 'Expressions that were converted.' }) count: number;
  @Field(() => [String], { description: 'One for each expression that stays as it was.' }) warnings: string[];
  @Field(() => DetectedLanguageEnum, { description: 'What the content was written in.' })
  sourceLanguage: DetectedLanguage;
  @Field(() => DetectedLanguageEnum) targetLanguage: DetectedLanguage;
}

export function templateConversionTypeOf(conversion: DirectedConversion): TemplateConversionType {
  return { ...conversion, warnings: [...conversion.warnings] };
}
