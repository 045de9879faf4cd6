/** Suppressed addresses in GraphQL. */
import { graphqlEnum } from '../../../platform/input/enums.js';
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { maskEmails } from '../../contacts/domain/masking.js';
import { SUPPRESSION_CHANGES, SUPPRESSION_REASONS, type Suppression } from '../domain/suppression.js';
import { SuppressionReasonEnum } from '../input/suppression.input.js';

const SuppressionChangeEnum = graphqlEnum(
  'SuppressionChangeKind',
  SUPPRESSION_CHANGES,
  'What was done with a suppressed address.',
);

@Output({ graphql: 'SuppressionChange' })
class SuppressionChangeOutput {
  @Out(oneOf(SUPPRESSION_CHANGES, SuppressionChangeEnum)) kind: string;
  @Out('DateTime') at: Date;
  @Out('String', {
    description:
      'Who made the change: a member ID, an API key ID, `operator` for the command line, or `provider` for a ' +
      'reported bounce or complaint.',
  })
  by: string;
  @Out(oneOf(SUPPRESSION_REASONS, SuppressionReasonEnum), {
    nullable: true,
    description: 'Why the address was added. Null for a removal.',
  })
  reason: string | null;
  @Out('String', { nullable: true }) note: string | null;
  @Out('ID', {
    nullable: true,
    description: 'ID of the message that caused the suppression. Null if none did.',
  })
  emailLogId: string | null;
}

@Output({ graphql: 'Suppression', description: 'An address that receives no mail.' })
export class SuppressionOutput {
  @Out('ID') id: string;
  @Out('String', {
    nullable: true,
    description: 'The address, masked without contacts:read. Null once its contact is erased.',
  })
  address: string | null;
  @Out(oneOf(SUPPRESSION_REASONS, SuppressionReasonEnum)) reason: string;
  @Out('DateTime') since: Date;
  @Out('String', { description: 'Who added the address, in the same form as in the history.' }) by: string;
  @Out('ID', {
    nullable: true,
    description: 'ID of the message that caused the suppression. Null if none did.',
  })
  emailLogId: string | null;
  @Out('String', { nullable: true }) note: string | null;
  @Out('DateTime', {
    nullable: true,
    description: 'When the address was removed from the list. Null while it is on the list.',
  })
  removedAt: Date | null;
  @Out([SuppressionChangeOutput], { description: 'The latest 50 changes, oldest first.' })
  history: readonly SuppressionChangeOutput[];
}

export const SuppressionConnection = connection('Suppression', SuppressionOutput);

/** @param showsAddresses whether the caller may read contacts. */
export function suppressionOutput(suppression: Suppression, showsAddresses: boolean): SuppressionOutput {
  if (showsAddresses) return suppression;
  const masked = (text: string | null): string | null => text && maskEmails(text);
  return {
    ...suppression,
    address: masked(suppression.address),
    note: masked(suppression.note),
    history: suppression.history.map((change) => ({ ...change, note: masked(change.note) })),
  };
}
