/** Input for suppressed addresses. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { Email, Flag, Nested, OneOf, SearchText, Text } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { MAX_NOTE_LENGTH, SUPPRESSION_REASONS, type SuppressionReason } from '../domain/suppression.js';

export const SuppressionReasonEnum = graphqlEnum(
  'SuppressionReason',
  SUPPRESSION_REASONS,
  'Why an address is suppressed.',
);

@Input({ graphql: 'SuppressionFilter' }, { nullIsAbsent: true })
export class SuppressionFilterInput {
  @OneOf(SUPPRESSION_REASONS, { optional: true, enumType: SuppressionReasonEnum }) reason?: SuppressionReason;
  @SearchText({
    optional: true,
    max: 320,
    description: 'Matches this exact address in any spelling. Requires contacts:read.',
  })
  email?: string;
  @Flag({ optional: true, description: 'Whether to include addresses that were removed from the list.' })
  includesRemoved?: boolean;
}

@Arguments()
export class SuppressionsArgs extends PageArgs {
  @Nested(SuppressionFilterInput, { optional: true }) filter?: SuppressionFilterInput;
}

@Input({ graphql: 'AddSuppressionInput' })
export class AddSuppressionInput {
  @Email() email: string;
  @Text({
    optional: true,
    nullable: 'absent',
    max: MAX_NOTE_LENGTH,
    description: 'The reason, for later reference.',
  })
  note?: string;
}

@Input({ graphql: 'RemoveSuppressionInput' })
export class RemoveSuppressionInput {
  @SearchText({ isId: true }) id: string;
  @Text({
    optional: true,
    nullable: 'absent',
    max: MAX_NOTE_LENGTH,
    description: 'The reason, for later reference.',
  })
  note?: string;
}
