/** In which order contacts are listed, and how a page names its place in it. */
import { invalidFields } from '../../../kernel/domain-error.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import type { Contact } from './contact.js';

export const CONTACT_SORTS = [
  'created_at',
  'updated_at',
  'email',
  'external_id',
  'first_name',
  'last_name',
] as const;
export type ContactSort = (typeof CONTACT_SORTS)[number];

export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export interface ContactOrder {
  readonly by: ContactSort;
  readonly order: SortOrder;
}

export const NEWEST_FIRST: ContactOrder = { by: 'created_at', order: 'desc' };

/** A place in an order: behind this contact. */
export interface ContactPlace {
  readonly key: string;
  readonly id: string;
}

/** What a contact is sorted by, besides its id, as text; ids are in the order of creation themselves. */
function keyOf(contact: Contact, by: ContactSort): string {
  if (by === 'created_at') return '';
  return by === 'updated_at' ? contact.updated_at.toISOString() : (contact[by] ?? '').toLowerCase();
}

/** The place of a contact, as an opaque text. */
export function cursorOf(contact: Contact, { by }: ContactOrder): string {
  return Buffer.from(JSON.stringify([by, keyOf(contact, by), contact.id])).toString('base64url');
}

/**
 * Reads a place again.
 * @throws DomainError invalid_field when it is none, or one of another order.
 */
export function placeOf(cursor: string, { by }: ContactOrder): ContactPlace {
  try {
    const [sort, key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (sort === by && typeof key === 'string' && isUuid(id) && !key.includes('\0')) return { key, id };
  } catch {
    // No JSON: answered below, like everything else that is no cursor of ours.
  }
  throw invalidFields([{ field: 'after', message: 'is no cursor of this list and order' }]);
}
