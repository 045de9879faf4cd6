/** A template of another platform converted to NLT, in GraphQL, before anything is saved. */
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
  'no_counterpart, unreadable, beyond_bounds: replaced by a placeholder; the template cannot be sent until ' +
  'you replace it. approximated: nearly the same. given_by_footer, left_out: removed. kept_as_text: text ' +
  'that would have been read as an expression.';

const ForeignWarningCodeEnum = graphqlEnum('ForeignTemplateWarningCode', FOREIGN_WARNING_CODES, CODES);
const ForeignFieldEnum = graphqlEnum('ForeignTemplateField', FOREIGN_FIELDS);

@ObjectType('ForeignTemplateWarning')
export class ForeignTemplateWarningType {
  @Field(() => ForeignFieldEnum) field: ForeignField;
  @Field(() => Int, { description: 'Line number, starting at 1.' }) line: number;
  @Field(() => Int, { description: 'Column in UTF-16 code units, starting at 1.' }) column: number;
  @Field(() => Int, { description: 'Offset into the field in UTF-16 code units, starting at 0.' })
  offset: number;
  @Field(() => ForeignWarningCodeEnum) code: ForeignWarningCode;
  @Field() message: string;
  @Field({ description: 'The original text, truncated if long.' }) original: string;
}

@ObjectType('ForeignTemplateConversion', {
  description:
    'The template in NLT. An expression without an equivalent becomes a placeholder in guillemets.',
})
export class ForeignTemplateConversionType {
  @Field(() => String, { nullable: true }) subject: string | null;
  @Field() body: string;
  @Field(() => [ForeignTemplateWarningType]) warnings: ForeignWarning[];
}

export function foreignConversionTypeOf(conversion: ForeignConversion): ForeignTemplateConversionType {
  return { ...conversion, warnings: [...conversion.warnings] };
}
