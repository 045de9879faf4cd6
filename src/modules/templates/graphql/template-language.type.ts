/** What the dashboard is told about the language of a template. */
import { Field, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { DetectedLanguage, DirectedConversion } from '../../../language/language.js';

export const DetectedTemplateLanguage = {
  nlt: 'nlt',
  jinja2: 'jinja2',
  mixed: 'mixed',
  none: 'none',
} as const;
registerEnumType(DetectedTemplateLanguage, { name: 'DetectedTemplateLanguage' });

@ObjectType('TemplateLanguageDetection')
export class TemplateLanguageDetectionType {
  @Field(() => DetectedTemplateLanguage) language: DetectedLanguage;
  @Field(() => Int, { description: 'Expressions of NLT.' }) nltCount: number;
  @Field(() => Int, { description: 'Expressions of Jinja2.' }) jinja2Count: number;
}

@ObjectType('TemplateConversion')
export class TemplateConversionType {
  @Field() content: string;
  @Field(() => Int, { description: 'Expressions that were converted.' }) count: number;
  @Field(() => [String], { description: 'One for each expression that stays as it was.' }) warnings: string[];
  @Field(() => DetectedTemplateLanguage, { description: 'What the content was written in.' })
  sourceLanguage: DetectedLanguage;
  @Field(() => DetectedTemplateLanguage) targetLanguage: DetectedLanguage;
}

export function templateConversionTypeOf(conversion: DirectedConversion): TemplateConversionType {
  return { ...conversion, warnings: [...conversion.warnings] };
}
