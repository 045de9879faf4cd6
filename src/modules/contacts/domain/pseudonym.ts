/** What a contact is called whose person was erased. */
import type { Contact } from './contact.js';

export function pseudonymOf(contactId: string): string {
  return `erased-${contactId}`;
}

/** Whether the person behind the contact was erased. */
export function isErased({ id, external_id: externalId }: Contact): boolean {
  return externalId === pseudonymOf(id);
}
