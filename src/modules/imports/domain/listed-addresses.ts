/** Which addresses of a batch to add to the suppression list, and why. */
import { namesOfAddress } from '../../contacts/domain/refusal.js';
import type { SuppressionReason } from '../../suppressions/domain/suppression.js';
import type { OptOutReason } from './foreign-contact.js';
import type { MappedContact } from './mapping.js';
import { SUPPRESSION_OF } from './opt-outs.js';
import type { SuppressedAddress } from './read-batch.js';

export interface ListedAddress {
  readonly email: string;
  /** Normalized for comparison. */
  readonly address: string;
  readonly reason: SuppressionReason;
}

/** The addresses that the source does not write to, and those of people who bounced or complained. */
export function listedOf(
  addresses: readonly SuppressedAddress[],
  people: readonly Pick<MappedContact, 'email' | 'optOut'>[],
): ListedAddress[] {
  return [
    ...addresses.flatMap(({ email, reason }) => listed(email, reason)),
    ...people.flatMap(({ email, optOut }) => listed(email, optOut)),
  ];
}

function listed(email: string | null, said: OptOutReason | null): ListedAddress[] {
  const reason = said === null ? null : SUPPRESSION_OF[said];
  if (email === null || reason === null) return [];
  return namesOfAddress(email).map(({ text }) => ({ email, address: text, reason }));
}
