/** Responses of the endpoints about template languages, section 4.3. */
import { ApiProperty } from '@nestjs/swagger';
import type { Detection, DirectedConversion } from '../../../language/language.js';

const DETECTED_LANGUAGE_NAMES = ['nlt', 'jinja2', 'mixed', 'none'];

export class LanguageDetectionResponse {
  @ApiProperty({ enum: DETECTED_LANGUAGE_NAMES, example: 'jinja2' }) language: string;
  @ApiProperty({ type: 'integer', example: 0, description: 'Number of NLT expressions.' }) nlt_count: number;
  @ApiProperty({ type: 'integer', example: 1, description: 'Number of Jinja2 expressions.' })
  jinja2_count: number;
}

export class ConversionResponse {
  @ApiProperty({ example: 'Hi {the user\'s first_name, or "there"}' }) content: string;
  @ApiProperty({
    type: 'integer',
    example: 1,
    description: 'Number of converted expressions. Each tag and each comment counts as one.',
  })
  count: number;
  @ApiProperty({
    type: [String],
    example: [],
    description: 'One for each expression that was not converted.',
  })
  warnings: readonly string[];
  @ApiProperty({
    enum: DETECTED_LANGUAGE_NAMES,
    example: 'jinja2',
    description: 'The detected language of the content, whatever the direction.',
  })
  source_language: string;
  @ApiProperty({
    enum: ['nlt', 'jinja2'],
    example: 'nlt',
    description: 'The language of the direction. With auto and content without expressions, nlt.',
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
