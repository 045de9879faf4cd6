/** Whom a segment finds, as much of each as it takes to tell whether and when mail may go to them. */
import type { Contact } from '../../contacts/domain/contact.js';

export type AudienceMember = Pick<Contact, 'id' | 'externalId' | 'email' | 'subscriptionStatus' | 'timezone'>;

/** A stretch of a segment's contacts. */
export interface AudiencePage {
  readonly members: readonly AudienceMember[];
  /** The last contact that was asked about; null where none is left. */
  readonly last: string | null;
}
