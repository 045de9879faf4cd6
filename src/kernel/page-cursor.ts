/**
 * Cursor pagination. A cursor identifies the record before a page by its sort key and, for equal keys, its id. It stays
 * valid when the list changes, even if its record is deleted. Clients receive it as opaque text.
 */
import { invalidFields } from './domain-error.js';
import { isStorableText } from './json.js';
import { isUuid } from './tenant-scope.js';

/** The sort direction of a list. */
export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export interface PageCursor {
  /** The sort key as text; empty if the list is sorted by id alone. */
  readonly key: string;
  readonly id: string;
}

/** The requested page. */
export interface PageRequest {
  readonly first: number;
  readonly after: PageCursor | null;
}

/** A page, and whether another one follows. */
export interface Slice<Item> {
  readonly items: readonly Item[];
  readonly hasNextPage: boolean;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Formats of the sort keys of lists. */
export const KEY = {
  none: (text: string): boolean => text === '',
  text: isStorableText,
  moment: (text: string): boolean => MOMENT.test(text) && !Number.isNaN(Date.parse(text)),
  number: (text: string): boolean => /^\d{1,9}$/.test(text),
} as const;

/**
 * Encodes a position as a cursor.
 * @param list identifies the list and its order, so that a cursor of another list is rejected.
 */
export function encodeCursor(list: string, { key, id }: PageCursor): string {
  return Buffer.from(JSON.stringify([list, key, id])).toString('base64url');
}

/**
 * Decodes a cursor.
 * @param isKey checks the format of this list's sort keys.
 * @param isId checks the format of this list's ids.
 * @returns null for no cursor, which means the first record.
 * @throws DomainError invalid_field if the text is not a cursor of this list.
 */
export function decodeCursor(
  list: string,
  cursor: string | null | undefined,
  isKey: (text: string) => boolean,
  isId: (text: unknown) => text is string = isUuid,
): PageCursor | null {
  if (cursor === null || cursor === undefined) return null;
  try {
    const [named, key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (named === list && typeof key === 'string' && isKey(key) && isId(id)) return { key, id };
  } catch {
    // Not JSON: rejected below like any other invalid cursor.
  }
  throw invalidFields([{ field: 'after', message: 'is not a cursor of this list' }]);
}

/** Makes a page from the rows found by a query for one row more than the page holds. */
export function sliceOf<Item>(found: readonly Item[], first: number): Slice<Item> {
  return { items: found.slice(0, first), hasNextPage: found.length > first };
}

/** Makes a page of a short list that is completely in memory, sorted by position. */
export function sliceAfter<Item>(
  all: readonly Item[],
  { first, after }: PageRequest,
  isAfter: (item: Item, cursor: PageCursor) => boolean,
): Slice<Item> {
  return sliceOf(after === null ? all : all.filter((item) => isAfter(item, after)), first);
}
