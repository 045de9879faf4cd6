/**
 * Keeps Mailchimp's pages consistent while members are added and deleted. A page is only an offset: each deleted
 * member shifts all later ones forward, and continuing at the next offset would miss them. So each page starts a
 * little before the end of the last one, and the overlap shows where to continue. If the overlap contains no known
 * member, the reader steps back. Members that exist during the whole import are all read; one that is read twice is
 * merged.
 * Members are sorted by `timestamp_signup`, the only one of the three available orders that never changes for a
 * member.
 */
import type { Cursor } from '../import-source.js';
import { countIn, listIn, objectIn, textIn } from './source-fields.js';
import { unexpectedResponse } from './platform-answer.js';

/** Number of members of a page. */
export const PAGE_SIZE = 1_000;
/** Number of members at a page's end that are searched for at the start of the next one. */
export const OVERLAP = 20;
/** Maximum number of pages to step back in one audience before a page is accepted as it is. */
export const MAX_STEPS_BACK = 20;
/** Maximum number of audiences that are read, and of those that are counted beforehand. */
export const MAX_LISTS = 500;
export const MAX_COUNTED_LISTS = 50;
/** Maximum length of the text that identifies a member, in characters. */
const MAX_MARK_LENGTH = 64;

export interface ListState {
  readonly id: string;
  /** Number of members; null if it was not queried. */
  readonly total: number | null;
}

export interface MailchimpCursor {
  /** Number of the next record. */
  readonly row: number;
  /** Audiences that are not completely read; the current one comes first. */
  readonly lists: readonly ListState[];
  /** Where the next page starts. */
  readonly offset: number;
  /** Marks of the last members that were read; none at the start of an audience. */
  readonly seen: readonly string[];
  readonly stepsBack: number;
  readonly pageSize: number;
}

/** The position that a cursor contains; null for none. */
export function readCursor(cursor: Cursor | null): MailchimpCursor | null {
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

export interface NewMembersPage {
  /** The new members of the page. */
  readonly items: readonly unknown[];
  readonly next: Cursor | null;
  /** Null while it is unknown. */
  readonly total: number | null;
}

/**
 * Selects the new members of a page, and computes where the next one starts.
 * @param total members of the audience, as reported with this page.
 * @throws SourceFailure platform_unavailable if an audience claims to have more members but returns none.
 */
export function selectNewMembers(
  position: MailchimpCursor,
  page: readonly unknown[],
  total: number | null,
): NewMembersPage {
  const marks = page.map(markOf);
  const isKnown = knownMembers(position.seen, marks);
  if (isKnown === null && position.offset > 0 && position.stepsBack < MAX_STEPS_BACK)
    return stepBack(position);

  const items = page.filter((_, index) => isKnown === null || !isKnown(index));
  const row = position.row + items.length;
  const end = position.offset + page.length;
  const isLast = total === null ? page.length < position.pageSize : end >= total;
  if (page.length === 0 && !isLast) throw unexpectedResponse('was empty before the last page');
  const [, ...others] = position.lists;
  const lists = isLast ? others : position.lists;
  // The overlap of a short page is smaller, so that the next page always makes progress.
  const overlap = Math.min(OVERLAP, Math.floor(page.length / 2));
  const left = isLast ? 0 : (total ?? end) - end;
  const next: MailchimpCursor | null =
    lists.length === 0
      ? null
      : isLast
        ? { ...position, row, lists, offset: 0, seen: [], stepsBack: 0 }
        : {
            ...position,
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

function stepBack(position: MailchimpCursor): NewMembersPage {
  const offset = Math.max(0, position.offset - Math.ceil(position.pageSize / 2));
  return { items: [], next: { ...position, offset, stepsBack: position.stepsBack + 1 }, total: null };
}

/** A member's id, which is derived from the address; its address if there is no id. */
function markOf(member: unknown): string {
  const { id, email_address: email } = objectIn(member);
  return (textIn(id) ?? textIn(email) ?? '').toLowerCase().slice(0, MAX_MARK_LENGTH);
}

/**
 * Which members of a page were already read: all up to the last of those from the end of the last page, if these are
 * still adjacent. If they are scattered, the order is unreliable, and only they count as read.
 * @returns null if none of them is present.
 */
function knownMembers(
  seen: readonly string[],
  marks: readonly string[],
): ((index: number) => boolean) | null {
  if (seen.length === 0) return () => false;
  const before = new Set(seen.filter((mark) => mark !== ''));
  const indexes = marks.flatMap((mark, index) => (before.has(mark) ? [index] : []));
  const [first, last] = [indexes[0], indexes.at(-1)];
  if (first === undefined || last === undefined) return null;
  const isTogether = last - first + 1 === indexes.length;
  return isTogether ? (index) => index <= last : (index) => before.has(marks[index] ?? '');
}

function sum(first: number, lists: readonly ListState[]): number | null {
  let all = first;
  for (const { total } of lists) {
    if (total === null) return null;
    all += total;
  }
  return all;
}
