/** The contacts that a segment matches, with only the data needed to decide whether and when they may get mail. */
import type { Contact } from '../../contacts/domain/contact.js';

export type AudienceMember = Pick<Contact, 'id' | 'externalId' | 'email' | 'subscriptionStatus' | 'timezone'>;

/** A chunk of a segment's contacts. */
export interface AudiencePage {
  readonly members: readonly AudienceMember[];
  /** The last contact that was checked; null if none is left. */
  readonly last: string | null;
}
