/** What a contact is called whose person was erased. */
import { isUuid } from '../../../kernel/tenant-scope.js';
import type { Contact } from './contact.js';

const PREFIX = 'erased-';

export function pseudonymOf(contactId: string): string {
  return PREFIX + contactId;
}

/** Whether a text is what some erased contact is called, or could be: nobody else may have such a name. */
export function isPseudonym(text: string): boolean {
  return text.startsWith(PREFIX) && isUuid(text.slice(PREFIX.length));
}

/** Whether the person behind the contact was erased. */
export function isErased({ id, externalId }: Contact): boolean {
  return externalId === pseudonymOf(id);
}
