/**
 * How Mailchimp's pages hold together while members come and go. A page is only an offset: each member who is deleted
 * moves all behind forward, and a reader who goes on at the next offset passes them by. So each page begins a little
 * before the end of the last one, and what stands there tells where to go on; where nothing is known again, the reader
 * steps back. Whoever is there all the time is read; one that is read twice is merged.
 *
 * Members are sorted by `timestamp_signup`, the only one of the three orders offered that a member keeps for good.
 */
import type { Cursor } from '../import-source.js';
import { countIn, listIn, objectIn, textIn } from './foreign-fields.js';
import { misunderstood } from './platform-answer.js';

/** Members of a page, the most that there may be. */
export const PAGE_SIZE = 1_000;
/** Members at a page's end that are looked for at the beginning of the next one. */
export const OVERLAP = 20;
/** Pages to step back in one audience, before a page is taken as it is. */
export const MOST_STEPS_BACK = 20;
/** Audiences that are read, and that are counted beforehand. */
export const MOST_LISTS = 500;
export const MOST_LISTS_COUNTED = 50;
/** Characters of what a member is known by. */
const LONGEST_MARK = 64;

export interface ListPlace {
  readonly id: string;
  /** Members; null where it was not asked. */
  readonly total: number | null;
}

export interface Place {
  /** Of the next record. */
  readonly row: number;
  /** Those that are not read through, the one being read first. */
  readonly lists: readonly ListPlace[];
  /** Where the next page begins. */
  readonly offset: number;
  /** Marks of the last members that were read; none at an audience's beginning. */
  readonly seen: readonly string[];
  readonly stepsBack: number;
  readonly pageSize: number;
}

/** The place that a cursor tells; null for none. */
export function placeIn(cursor: Cursor | null): Place | null {
  if (cursor === null) return null;
  return {
    row: countIn(cursor.row) ?? 1,
    lists: listIn(cursor.lists).flatMap((list) => {
      const id = textIn(objectIn(list).id);
      return id === null ? [] : [{ id, total: countIn(objectIn(list).total) }];
    }),
    offset: countIn(cursor.offset) ?? 0,
    seen: listIn(cursor.seen).flatMap((mark) => textIn(mark) ?? []),
    stepsBack: countIn(cursor.stepsBack) ?? 0,
    pageSize: countIn(cursor.pageSize) ?? PAGE_SIZE,
  };
}

export interface TakenPage {
  /** What of the page is new. */
  readonly items: readonly unknown[];
  readonly next: Cursor | null;
  /** Null while it is not known. */
  readonly total: number | null;
}

/**
 * Takes what is new of a page, and says where the next one begins.
 * @param total members of the audience, as this page has it.
 * @throws SourceFailure platform_unavailable where an audience says that it goes on and does not.
 */
export function takePage(place: Place, page: readonly unknown[], total: number | null): TakenPage {
  const marks = page.map(markOf);
  const known = knownOf(place.seen, marks);
  if (known === null && place.offset > 0 && place.stepsBack < MOST_STEPS_BACK) return stepBack(place);

  const items = page.filter((_, index) => known === null || !known(index));
  const row = place.row + items.length;
  const end = place.offset + page.length;
  const isLast = total === null ? page.length < place.pageSize : end >= total;
  if (page.length === 0 && !isLast) throw misunderstood('was empty before the last page');
  const [, ...others] = place.lists;
  const lists = isLast ? others : place.lists;
  // Less of a short page, so that the next one leads on in any case.
  const overlap = Math.min(OVERLAP, Math.floor(page.length / 2));
  const left = isLast ? 0 : (total ?? end) - end;
  const next: Place | null =
    lists.length === 0
      ? null
      : isLast
        ? { ...place, row, lists, offset: 0, seen: [], stepsBack: 0 }
        : {
            ...place,
            row,
            lists,
            offset: end - overlap,
            seen: marks.slice(page.length - overlap),
          };
  return {
    items,
    next: next && { ...next },
    total: isLast || total !== null ? sum(row - 1 + left, others) : null,
  };
}

function stepBack(place: Place): TakenPage {
  const offset = Math.max(0, place.offset - Math.ceil(place.pageSize / 2));
  return { items: [], next: { ...place, offset, stepsBack: place.stepsBack + 1 }, total: null };
}

/** A member's id, which is made of the address; its address where there is none. */
function markOf(member: unknown): string {
  const { id, email_address: email } = objectIn(member);
  return (textIn(id) ?? textIn(email) ?? '').toLowerCase().slice(0, LONGEST_MARK);
}

/**
 * Which members of a page have been read: all up to the last of those that stood at the end of the last page, where
 * these still stand together. Where they are scattered, the order is none to rely on, and they alone are known.
 * @returns null where none of them is there.
 */
function knownOf(seen: readonly string[], marks: readonly string[]): ((index: number) => boolean) | null {
  if (seen.length === 0) return () => false;
  const before = new Set(seen.filter((mark) => mark !== ''));
  const places = marks.flatMap((mark, index) => (before.has(mark) ? [index] : []));
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return null;
  const isTogether = last - first + 1 === places.length;
  return isTogether ? (index) => index <= last : (index) => before.has(marks[index] ?? '');
}

function sum(first: number, lists: readonly ListPlace[]): number | null {
  let all = first;
  for (const { total } of lists) {
    if (total === null) return null;
    all += total;
  }
  return all;
}
