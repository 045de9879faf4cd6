/** Sort orders of the list of contacts, and the cursors of its pages. */
import {
  encodeCursor,
  KEY,
  decodeCursor,
  type PageCursor,
  type SortOrder,
} from '../../../kernel/page-cursor.js';
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

/** The longest field that is searched. */
export const MAX_SEARCH_LENGTH = 255;

export const NEWEST_FIRST: ContactOrder = { by: 'createdAt', order: 'desc' };

/**
 * The contact's sort key, as text; the id, which follows creation order, comes after it. It keeps the letter case:
 * the database lower-cases cursors and sort keys by the same rule.
 */
function keyOf(contact: Contact, by: ContactSort): string {
  if (by === 'createdAt') return '';
  return by === 'updatedAt' ? contact.updatedAt.toISOString() : (contact[by] ?? '');
}

const listOf = ({ by }: ContactOrder): string => `contacts by ${by}`;

/** The cursor of a contact. */
export function contactCursor(contact: Contact, order: ContactOrder): string {
  return encodeCursor(listOf(order), { key: keyOf(contact, order.by), id: contact.id });
}

/**
 * Parses a cursor; null without one.
 * @throws DomainError invalid_field if it is not a cursor of this order.
 */
export function parseContactCursor(
  cursor: string | null | undefined,
  order: ContactOrder,
): PageCursor | null {
  const { by } = order;
  const isKey = by === 'createdAt' ? KEY.none : by === 'updatedAt' ? KEY.moment : KEY.text;
  return decodeCursor(listOf(order), cursor, isKey);
}
