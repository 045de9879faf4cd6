/** By what and in which order contacts are listed, and how a page names its place in it. */
import { cursorOf, KEY, placeOf, type Place } from '../../../kernel/place.js';
import type { SortOrder } from '../../../kernel/sort-order.js';
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

export interface ContactOrder {
  readonly by: ContactSort;
  readonly order: SortOrder;
}

/** No field that is searched is longer. */
export const LONGEST_SEARCH = 255;

export const NEWEST_FIRST: ContactOrder = { by: 'createdAt', order: 'desc' };

/**
 * What a contact is sorted by, besides its id, as text; ids are in the order of creation themselves. In the letters of
 * the contact: the database makes the place lower case as it makes what it sorts, by one rule.
 */
function keyOf(contact: Contact, by: ContactSort): string {
  if (by === 'createdAt') return '';
  return by === 'updatedAt' ? contact.updatedAt.toISOString() : (contact[by] ?? '');
}

const listOf = ({ by }: ContactOrder): string => `contacts by ${by}`;

/** The place of a contact, as an opaque text. */
export function contactCursor(contact: Contact, order: ContactOrder): string {
  return cursorOf(listOf(order), { key: keyOf(contact, order.by), id: contact.id });
}

/**
 * Reads a place again; null for none.
 * @throws DomainError invalid_field when it is no place in this order.
 */
export function contactPlace(cursor: string | null | undefined, order: ContactOrder): Place | null {
  const { by } = order;
  const isKey = by === 'createdAt' ? KEY.none : by === 'updatedAt' ? KEY.moment : KEY.text;
  return placeOf(listOf(order), cursor, isKey);
}
