/** Input for detecting or converting the language of a content, section 4.3. */
import { DIRECTIONS, type Direction } from '../../../language/language.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { OneOf, Text } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { contentProblem, MAX_BODY_BYTES } from '../domain/template-limits.js';

const DIRECTION =
  'auto converts to the opposite language, and mixed content to NLT. Content that is already in the target language ' +
  'does not change.';
const CONTENT = {
  check: contentProblem,
  description: `At most ${MAX_BODY_BYTES} bytes of UTF-8, without NUL characters and unpaired surrogates.`,
} as const;

const DirectionEnum = graphqlEnum('TemplateConversionDirection', DIRECTIONS, DIRECTION);

@Input({ rest: 'DetectLanguageBody' })
export class DetectLanguageInput {
  @Text({ ...CONTENT, example: 'Hi {{ contact.first_name }}' }) content: string;
}

@Arguments()
export class DetectLanguageArgs extends DetectLanguageInput {}

@Input({ rest: 'ConvertTemplateBody' })
export class ConvertTemplateInput {
  @Text({ ...CONTENT, example: 'Hi {{ contact.first_name | default("there", true) }}' }) content: string;

  @OneOf(DIRECTIONS, {
    nullable: 'absent',
    enumType: DirectionEnum,
    fallback: 'auto',
    description: DIRECTION,
  })
  direction: Direction;
}

@Arguments()
export class ConvertTemplateArgs extends ConvertTemplateInput {}
