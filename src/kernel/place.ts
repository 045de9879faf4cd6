/**
 * Where a page of a list begins: behind a record, named by what the list is ordered by and, among equals, by its id. A
 * place is stable however the list grows, and need not be that of a record which is still there. Between calls it is
 * an opaque text, a cursor.
 */
import { invalidFields } from './domain-error.js';
import { isStorableText } from './json.js';
import { isUuid } from './tenant-scope.js';

export interface Place {
  /** What the list is ordered by before the id, as text; empty where that is the id alone. */
  readonly key: string;
  readonly id: string;
}

/** A page that is asked for. */
export interface WantedPage {
  readonly first: number;
  readonly after: Place | null;
}

/** A page, and whether there is one behind it. */
export interface Slice<Item> {
  readonly items: readonly Item[];
  readonly hasNextPage: boolean;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** What keys of lists look like. */
export const KEY = {
  none: (text: string): boolean => text === '',
  text: isStorableText,
  moment: (text: string): boolean => MOMENT.test(text) && !Number.isNaN(Date.parse(text)),
  number: (text: string): boolean => /^\d{1,9}$/.test(text),
} as const;

/**
 * The place as an opaque text.
 * @param list names the list and its order, so that no cursor is taken for one of another.
 */
export function cursorOf(list: string, { key, id }: Place): string {
  return Buffer.from(JSON.stringify([list, key, id])).toString('base64url');
}

/**
 * Reads a place again.
 * @param isKey what keys of this list look like.
 * @param isId what ids of this list look like.
 * @returns null for none, which begins with the first record.
 * @throws DomainError invalid_field for what is no cursor of this list.
 */
export function placeOf(
  list: string,
  cursor: string | null | undefined,
  isKey: (text: string) => boolean,
  isId: (text: unknown) => text is string = isUuid,
): Place | null {
  if (cursor === null || cursor === undefined) return null;
  try {
    const [named, key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (named === list && typeof key === 'string' && isKey(key) && isId(id)) return { key, id };
  } catch {
    // No JSON: answered below, like everything else that is no cursor of ours.
  }
  throw invalidFields([{ field: 'after', message: 'is not a cursor of this list' }]);
}

/** The page of what was found when one more than a page was looked for. */
export function sliceOf<Item>(found: readonly Item[], first: number): Slice<Item> {
  return { items: found.slice(0, first), hasNextPage: found.length > first };
}

/** The page of a short list that is there as a whole, in the order of its places. */
export function sliceBehind<Item>(
  all: readonly Item[],
  { first, after }: WantedPage,
  isBehind: (item: Item, place: Place) => boolean,
): Slice<Item> {
  return sliceOf(after === null ? all : all.filter((item) => isBehind(item, after)), first);
}
