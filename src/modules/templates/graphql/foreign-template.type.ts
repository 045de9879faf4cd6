/** A template of another platform as NLT, as the dashboard shows it before anything is saved. */
import { Field, Int, ObjectType } from '@nestjs/graphql';
import {
  FOREIGN_FIELDS,
  FOREIGN_WARNING_CODES,
  type ForeignConversion,
  type ForeignField,
  type ForeignWarning,
  type ForeignWarningCode,
} from '../../../language/language.js';
import { graphqlEnum } from '../../../platform/input/enums.js';

const CODES =
  'no_counterpart, unreadable, beyond_bounds: a placeholder stands there, and the template is not sent until it is ' +
  'replaced. approximated: nearly the same. given_by_footer, left_out: taken out. kept_as_text: a text that would ' +
  'have been read as an expression.';

const ForeignWarningCodeEnum = graphqlEnum('ForeignTemplateWarningCode', FOREIGN_WARNING_CODES, CODES);
const ForeignFieldEnum = graphqlEnum('ForeignTemplateField', FOREIGN_FIELDS);

@ObjectType('ForeignTemplateWarning')
export class ForeignTemplateWarningType {
  @Field(() => ForeignFieldEnum) field: ForeignField;
  @Field(() => Int, { description: 'From 1.' }) line: number;
  @Field(() => Int, { description: 'From 1, in UTF-16 units.' }) column: number;
  @Field(() => Int, { description: 'From 0, in UTF-16 units of the field.' }) offset: number;
  @Field(() => ForeignWarningCodeEnum) code: ForeignWarningCode;
  @Field() message: string;
  @Field({ description: 'What stood there, cut when it is long.' }) original: string;
}

@ObjectType('ForeignTemplateConversion', {
  description: 'NLT; what has no counterpart is a placeholder in guillemets.',
})
export class ForeignTemplateConversionType {
  @Field(() => String, { nullable: true }) subject: string | null;
  @Field() body: string;
  @Field(() => [ForeignTemplateWarningType]) warnings: ForeignWarning[];
}

export function foreignConversionTypeOf(conversion: ForeignConversion): ForeignTemplateConversionType {
  return { ...conversion, warnings: [...conversion.warnings] };
}
