/** Detection and conversion of template languages, section 4.3, in REST and in GraphQL. */
import {
  DETECTED_LANGUAGES,
  FOREIGN_FIELDS,
  FOREIGN_WARNING_CODES,
  TEMPLATE_LANGUAGES,
} from '../../../language/language.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';

const DetectedLanguageEnum = graphqlEnum('DetectedTemplateLanguage', DETECTED_LANGUAGES);
const DETECTED_LANGUAGE = oneOf(DETECTED_LANGUAGES, DetectedLanguageEnum);

@Output({ rest: 'LanguageDetectionResponse', graphql: 'TemplateLanguageDetection' })
export class LanguageDetectionOutput {
  @Out(DETECTED_LANGUAGE, { example: 'jinja2' }) language: string;
  @Out('Int', { example: 0, description: 'Number of NLT expressions.' }) nltCount: number;
  @Out('Int', { example: 1, description: 'Number of Jinja2 expressions.' }) jinja2Count: number;
}

@Output({ rest: 'ConversionResponse', graphql: 'TemplateConversion' })
export class ConversionOutput {
  @Out('String', { example: 'Hi {the user\'s first_name, or "there"}' }) content: string;
  @Out('Int', {
    example: 1,
    description: 'Number of converted expressions. Each tag and each comment counts as one.',
  })
  count: number;
  @Out(['String'], { example: [], description: 'One for each expression that was not converted.' })
  warnings: readonly string[];
  @Out(DETECTED_LANGUAGE, {
    example: 'jinja2',
    description: 'The detected language of the content, whatever the direction.',
  })
  sourceLanguage: string;
  @Out(DETECTED_LANGUAGE, {
    example: 'nlt',
    description: 'The language of the direction. With auto and content without expressions, nlt.',
    api: { enum: [...TEMPLATE_LANGUAGES] },
  })
  targetLanguage: string;
}

const CODES =
  'no_counterpart, unreadable, beyond_bounds: replaced by a placeholder; the template cannot be sent until ' +
  'you replace it. approximated: nearly the same. given_by_footer, left_out: removed. kept_as_text: text ' +
  'that would have been read as an expression.';

const ForeignWarningCodeEnum = graphqlEnum('ForeignTemplateWarningCode', FOREIGN_WARNING_CODES, CODES);
const ForeignFieldEnum = graphqlEnum('ForeignTemplateField', FOREIGN_FIELDS);

@Output({ graphql: 'ForeignTemplateWarning' })
class ForeignWarningOutput {
  @Out(oneOf(FOREIGN_FIELDS, ForeignFieldEnum)) field: string;
  @Out('Int', { description: 'Line number, starting at 1.' }) line: number;
  @Out('Int', { description: 'Column in UTF-16 code units, starting at 1.' }) column: number;
  @Out('Int', { description: 'Offset into the field in UTF-16 code units, starting at 0.' }) offset: number;
  @Out(oneOf(FOREIGN_WARNING_CODES, ForeignWarningCodeEnum)) code: string;
  @Out('String') message: string;
  @Out('String', { description: 'The original text, truncated if long.' }) original: string;
}

/** A template of another platform, converted to NLT. */
@Output({
  graphql: 'ForeignTemplateConversion',
  description:
    'The template in NLT. An expression without an equivalent becomes a placeholder in guillemets.',
})
export class ForeignConversionOutput {
  @Out('String', { nullable: true }) subject: string | null;
  @Out('String') body: string;
  @Out([ForeignWarningOutput]) warnings: readonly ForeignWarningOutput[];
}
