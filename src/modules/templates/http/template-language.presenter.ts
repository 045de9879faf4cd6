/** Answers of the endpoints about template languages, section 4.3. */
import { ApiProperty } from '@nestjs/swagger';
import type { Detection, DirectedConversion } from '../../../language/language.js';

const DETECTED = ['nlt', 'jinja2', 'mixed', 'none'];

export class LanguageDetectionResponse {
  @ApiProperty({ enum: DETECTED, example: 'jinja2' }) language: string;
  @ApiProperty({ type: 'integer', example: 0, description: 'Expressions of NLT.' }) nlt_count: number;
  @ApiProperty({ type: 'integer', example: 1, description: 'Expressions of Jinja2.' }) jinja2_count: number;
}

export class ConversionResponse {
  @ApiProperty({ example: 'Hi {the user\'s first_name, or "there"}' }) content: string;
  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'Expressions that were converted: each tag and each comment is one.',
  })
  count: number;
  @ApiProperty({ type: [String], example: [], description: 'One for each expression that stays as it was.' })
  warnings: readonly string[];
  @ApiProperty({
    enum: DETECTED,
    example: 'jinja2',
    description: 'What the content was written in, as detect-language tells it, whatever the direction.',
  })
  source_language: string;
  @ApiProperty({
    enum: ['nlt', 'jinja2'],
    example: 'nlt',
    description: 'That of the direction; auto of content without expressions: nlt.',
  })
  target_language: string;
}

export function presentDetection(detection: Detection): LanguageDetectionResponse {
  const { language, nltCount, jinja2Count } = detection;
  return { language, nlt_count: nltCount, jinja2_count: jinja2Count };
}

export function presentConversion(conversion: DirectedConversion): ConversionResponse {
  const { content, count, warnings, sourceLanguage, targetLanguage } = conversion;
  return { content, count, warnings, source_language: sourceLanguage, target_language: targetLanguage };
}
