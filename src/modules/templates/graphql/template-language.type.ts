/** Detection and conversion of template languages in GraphQL. */
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
  @Field(() => Int, { description: 'Number of NLT expressions.' }) nltCount: number;
  @Field(() => Int, { description: 'Number of Jinja2 expressions.' }) jinja2Count: number;
}

@ObjectType('TemplateConversion')
export class TemplateConversionType {
  @Field() content: string;
  @Field(() => Int, { description: 'Number of converted expressions.' }) count: number;
  @Field(() => [String], { description: 'One for each expression that was not converted.' })
  warnings: string[];
  @Field(() => DetectedLanguageEnum, { description: 'The detected language of the content.' })
  sourceLanguage: DetectedLanguage;
  @Field(() => DetectedLanguageEnum) targetLanguage: DetectedLanguage;
}

export function templateConversionTypeOf(conversion: DirectedConversion): TemplateConversionType {
  return { ...conversion, warnings: [...conversion.warnings] };
}
