/** Which addresses of a batch to add to the suppression list, and why. */
import { namesOfAddress } from '../../contacts/domain/opt-out.js';
import type { SuppressionReason } from '../../suppressions/domain/suppression.js';
import type { OptOutReason } from './source-record.js';
import type { MappedContact } from './mapping.js';
import { SUPPRESSION_OF } from './opt-outs.js';
import type { SuppressedAddress } from './read-batch.js';

export interface AddressToSuppress {
  readonly email: string;
  /** Normalized for comparison. */
  readonly address: string;
  readonly reason: SuppressionReason;
}

/** The addresses that the source does not write to, and those of people who bounced or complained. */
export function addressesToSuppress(
  addresses: readonly SuppressedAddress[],
  people: readonly Pick<MappedContact, 'email' | 'optOut'>[],
): AddressToSuppress[] {
  return [
    ...addresses.flatMap(({ email, reason }) => toSuppress(email, reason)),
    ...people.flatMap(({ email, optOut }) => toSuppress(email, optOut)),
  ];
}

function toSuppress(email: string | null, optOut: OptOutReason | null): AddressToSuppress[] {
  const reason = optOut === null ? null : SUPPRESSION_OF[optOut];
  if (email === null || reason === null) return [];
  return namesOfAddress(email).map(({ text }) => ({ email, address: text, reason }));
}
