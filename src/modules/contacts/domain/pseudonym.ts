/** Pseudonyms of erased contacts. */
import { isUuid } from '../../../kernel/tenant-scope.js';
import type { Contact } from './contact.js';

const PREFIX = 'erased-';

export function pseudonymOf(contactId: string): string {
  return PREFIX + contactId;
}

/** Whether a text has the form of a pseudonym; no other contact may have such an external_id. */
export function isPseudonym(text: string): boolean {
  return text.startsWith(PREFIX) && isUuid(text.slice(PREFIX.length));
}

/** Whether the person behind the contact was erased. */
export function isErased({ id, externalId }: Contact): boolean {
  return externalId === pseudonymOf(id);
}
