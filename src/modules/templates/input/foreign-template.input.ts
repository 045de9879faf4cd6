/** Input of the conversion of another platform's template to NLT. The limits are those of a template. */
import { FOREIGN_SOURCES, type ForeignSource, type ForeignTemplate } from '../../../language/language.js';
import { graphqlEnum } from '../../../platform/input/enums.js';
import { OneOf, Text } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import { contentProblem, MAX_BODY_BYTES, MAX_FOREIGN_SUBJECT_LENGTH } from '../domain/template-limits.js';

const SOURCE =
  'mailchimp: merge tags; klaviyo: its template tags; liquid: Customer.io, Braze, OneSignal and others.';

const ForeignSourceEnum = graphqlEnum('ForeignTemplateSource', FOREIGN_SOURCES, SOURCE);

@Input({ graphql: 'ConvertForeignTemplateInput' })
export class ForeignTemplateInput {
  @OneOf(FOREIGN_SOURCES, { enumType: ForeignSourceEnum, description: SOURCE }) source: ForeignSource;

  @Text({
    optional: true,
    nullable: 'absent',
    max: MAX_FOREIGN_SUBJECT_LENGTH,
    check: contentProblem,
    example: 'Hi *|FNAME|*',
    description: `At most ${MAX_FOREIGN_SUBJECT_LENGTH} characters.`,
  })
  subject?: string;

  @Text({
    check: contentProblem,
    example: '<p>Hi {{ customer.first_name | default: "there" }}</p>',
    description: `At most ${MAX_BODY_BYTES} bytes of UTF-8, without NUL characters and unpaired surrogates.`,
  })
  body: string;
}

export function foreignTemplateOf({ source, subject, body }: ForeignTemplateInput): ForeignTemplate {
  return { source, subject: subject ?? null, body };
}
