/** By what and in which order contacts are listed, and how a page names its place in it. */
import { invalidFields } from '../../../kernel/domain-error.js';
import { isStorableText } from '../../../kernel/json.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import type { Contact } from './contact.js';

export const CONTACT_SORTS = [
  'createdAt',
  'updatedAt',
  'email',
  'externalId',
  'firstName',
  'lastName',
] as const;
export type ContactSort = (typeof CONTACT_SORTS)[number];

export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export interface ContactOrder {
  readonly by: ContactSort;
  readonly order: SortOrder;
}

/** No field that is searched is longer. */
export const LONGEST_SEARCH = 255;

export const NEWEST_FIRST: ContactOrder = { by: 'createdAt', order: 'desc' };

/** A place in an order: behind this contact. */
export interface ContactPlace {
  readonly key: string;
  readonly id: string;
}

/**
 * What a contact is sorted by, besides its id, as text; ids are in the order of creation themselves. In the letters of
 * the contact: the database makes the place lower case as it makes what it sorts, by one rule.
 */
function keyOf(contact: Contact, by: ContactSort): string {
  if (by === 'createdAt') return '';
  return by === 'updatedAt' ? contact.updatedAt.toISOString() : (contact[by] ?? '');
}

/** Whether a text may be what `keyOf` gave. */
function isKey(text: string, by: ContactSort): boolean {
  return by === 'updatedAt' ? MOMENT.test(text) && !Number.isNaN(Date.parse(text)) : isStorableText(text);
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
    if (sort === by && typeof key === 'string' && isUuid(id) && isKey(key, by)) return { key, id };
  } catch {
    // No JSON: answered below, like everything else that is no cursor of ours.
  }
  throw invalidFields([{ field: 'after', message: 'is no cursor of this list and order' }]);
}
