/** What sources ask of a platform and how they take the answer: statuses told apart, no shape believed. */
import { flawOf, isJsonObject, type JsonObject } from '../../../../kernel/json.js';
import { type ExactBounds, parseJson } from '../../../../kernel/json-text.js';
import { snakeCase } from '../../../../kernel/letter-case.js';
import {
  AnswerTooLarge,
  type CredentialProblem,
  type Cursor,
  type SourceAnswer,
  type SourceCall,
  type SourceCalls,
  SourceFailure,
  type SourcePage,
} from '../import-source.js';
import type { Credentials } from '../platform.js';
import { flawedPart } from '../sound-part.js';

export interface PlatformAnswer {
  readonly status: number;
  /** Undefined where the body of an error is no JSON. */
  readonly value: unknown;
  readonly headers: SourceAnswer['headers'];
  /** Of the body. */
  readonly bytes: number;
}

/** Exact numbers of one answer; one that holds more is none that can be read. */
export const MOST_EXACT_OF_ANSWER: ExactBounds = { numbers: 100_000, characters: 4_194_304 };

/** Pages in a row that may be empty while the platform says that there is more. */
export const MOST_EMPTY_PAGES = 50;

/** Bytes of a page; a larger one is asked for anew, with fewer records. */
const LARGEST_PAGE = 8 * 1_024 * 1_024;
/** Records of a page that is taken however large it is. */
const SMALLEST_PAGE = 10;

/** How often cursors that a platform does not know any more are made up for. */
export const MOST_LOST_CURSORS = 3;

/** Characters of a platform's own cursor. */
const LONGEST_PLATFORM_CURSOR = 8_192;

/**
 * Asks a platform once more than `SourceCalls` does where a good answer is no JSON.
 * @param body makes it a POST.
 * @throws SourceFailure
 */
export async function ask(
  calls: SourceCalls,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: JsonObject,
): Promise<PlatformAnswer> {
  const call: SourceCall =
    body === undefined
      ? { method: 'GET', url, headers }
      : {
          method: 'POST',
          url,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        };
  const answer = await calls.call(call);
  const value = parsed(answer.body);
  if (answer.status !== 200 || value !== undefined) return { ...answer, value, bytes: answer.body.length };
  return { ...answer, value: await calls.json(call), bytes: answer.body.length };
}

function parsed(body: Buffer): unknown {
  try {
    return parseJson(body.toString('utf8'), MOST_EXACT_OF_ANSWER);
  } catch {
    return undefined;
  }
}

/**
 * The object and the list of a page.
 * @throws SourceFailure source_not_found for 404, platform_unavailable for whatever else is no such page.
 */
export function pageIn(
  answer: PlatformAnswer,
  listName: string,
): { readonly page: JsonObject; readonly items: readonly unknown[] } {
  if (answer.status === 404)
    throw new SourceFailure('source_not_found', 'The platform has no such source (404).');
  if (answer.status !== 200)
    throw new SourceFailure('platform_unavailable', `The platform answered with status ${answer.status}.`);
  const page = isJsonObject(answer.value) ? answer.value : {};
  const items = page[listName];
  if (!Array.isArray(items)) throw misunderstood(`contains no list "${listName}"`);
  return { page, items: items.map(soundItem) };
}

/** What is nested too deep, or cannot be stored, is a record of which a part alone can be read. */
function soundItem(item: unknown): unknown {
  const flaw = flawOf(item);
  if (flaw === undefined) return item;
  return isJsonObject(item) ? flawedPart(item, flaw) : null;
}

/** The failure of an answer that is none of this API. */
export function misunderstood(what: string): SourceFailure {
  return new SourceFailure('platform_unavailable', `A response of the platform ${what}.`);
}

/**
 * A page's cursor of the platform's, checked: it leads on, and can be stored.
 * @throws SourceFailure platform_unavailable
 */
export function checkedCursor(next: string, before: string | null): string {
  if (next === before) throw misunderstood('points back to itself');
  if (next.length > LONGEST_PLATFORM_CURSOR) throw misunderstood('contains a cursor that is too long');
  return next;
}

/**
 * How many records to ask for in place of a page that is too large.
 * @returns null for a page that may be taken as it is.
 */
export function smallerPage(answer: PlatformAnswer, size: number): number | null {
  if (answer.bytes <= LARGEST_PAGE || size <= SMALLEST_PAGE) return null;
  return fewer(size);
}

/**
 * Reads a page; where the answer is larger than any may be, that page is empty and the next one is asked for with fewer
 * records, from the same place.
 * @throws whatever `read` throws, AnswerTooLarge too where a page is as small as it gets.
 */
export async function pageOrSmaller(
  place: Cursor & { readonly pageSize: number },
  read: () => Promise<SourcePage>,
): Promise<SourcePage> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AnswerTooLarge) || place.pageSize <= SMALLEST_PAGE) throw error;
    return { records: [], next: { ...place, pageSize: fewer(place.pageSize) } };
  }
}

function fewer(size: number): number {
  return Math.max(SMALLEST_PAGE, Math.floor(size / 4));
}

/** How many pages in a row were empty, with this one. @throws SourceFailure platform_unavailable */
export function emptyPages(before: number, items: readonly unknown[]): number {
  if (items.length > 0) return 0;
  if (before + 1 >= MOST_EMPTY_PAGES) throw misunderstood('was empty repeatedly');
  return before + 1;
}

/**
 * The object of a good answer, whatever kind of good it is.
 * @returns null for an answer of 4xx.
 * @throws SourceFailure platform_unavailable for whatever else is no such answer.
 */
export function goodAnswer({ status, value }: PlatformAnswer): JsonObject | null {
  if (status >= 400) return null;
  if (status < 200 || status > 299 || !isJsonObject(value)) throw misunderstood('contains no object');
  return value;
}

/** Lists that a platform has no right or no place for are empty, in place of a failure. */
export async function itemsWhereAllowed(
  asked: Promise<PlatformAnswer>,
  listName: string,
): Promise<readonly unknown[]> {
  return noneWhereRefused(
    asked.then((answer) => (answer.status >= 400 ? [] : pageIn(answer, listName).items)),
  );
}

/** What a platform has no right or no place for is left out: none of it, in place of a failure. */
export async function noneWhereRefused<T>(asked: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await asked;
  } catch (error) {
    const isRefusal =
      error instanceof SourceFailure &&
      (error.code === 'invalid_credentials' || error.code === 'source_not_found');
    if (isRefusal) return [];
    throw error;
  }
}

/** Characters that a header takes, without blanks. */
const KEY = /^[\x21-\x7e]{1,512}$/;

/** What is wrong with a key, as far as its text tells. */
export function problemOfKey({ apiKey }: Credentials): CredentialProblem | null {
  if (KEY.test(apiKey ?? '')) return null;
  return { field: 'credentials.apiKey', message: 'must be 1 to 512 visible ASCII characters' };
}

/** @throws SourceFailure invalid_credentials where there is a problem: with such credentials nobody is asked. */
export function assertUsable(problem: CredentialProblem | null): void {
  if (problem === null) return;
  const { field, message } = problem;
  throw new SourceFailure('invalid_credentials', `${snakeCase(field)} ${message}`);
}
