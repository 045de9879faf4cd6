/** Requests to platforms and checks of their answers: distinguishes statuses, and takes no structure for granted. */
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
  /** Undefined if the body of an error is no JSON. */
  readonly value: unknown;
  readonly headers: SourceAnswer['headers'];
  /** Size of the body. */
  readonly bytes: number;
}

/** Limits of exact numbers in one answer. An answer with more counts as unreadable. */
export const MOST_EXACT_OF_ANSWER: ExactBounds = { numbers: 100_000, characters: 4_194_304 };

/** Maximum number of consecutive empty pages while the platform reports more. */
export const MOST_EMPTY_PAGES = 50;

/** Maximum size of a page, in bytes. A larger one is requested again with fewer records. */
const LARGEST_PAGE = 8 * 1_024 * 1_024;
/** Number of records of a page that is accepted whatever its size. */
const SMALLEST_PAGE = 10;

/** How often a cursor that the platform no longer knows is replaced. */
export const MOST_LOST_CURSORS = 3;

/** Maximum length of a platform's own cursor, in characters. */
const LONGEST_PLATFORM_CURSOR = 8_192;

/**
 * Sends a request. If a successful answer is no JSON, retries once more than `SourceCalls` does.
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
 * @throws SourceFailure source_not_found for 404, platform_unavailable for anything else that is no such page.
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

/** An item that is nested too deep, or cannot be stored, is reduced to its valid part. */
function soundItem(item: unknown): unknown {
  const flaw = flawOf(item);
  if (flaw === undefined) return item;
  return isJsonObject(item) ? flawedPart(item, flaw) : null;
}

/** The failure for an answer that does not match the API. */
export function misunderstood(what: string): SourceFailure {
  return new SourceFailure('platform_unavailable', `A response of the platform ${what}.`);
}

/**
 * Checks a platform's own cursor of a page: it must differ from the last one, and can be stored.
 * @throws SourceFailure platform_unavailable
 */
export function checkedCursor(next: string, before: string | null): string {
  if (next === before) throw misunderstood('points back to itself');
  if (next.length > LONGEST_PLATFORM_CURSOR) throw misunderstood('contains a cursor that is too long');
  return next;
}

/**
 * How many records to request instead of a page that is too large.
 * @returns null for a page that can be accepted.
 */
export function smallerPage(answer: PlatformAnswer, size: number): number | null {
  if (answer.bytes <= LARGEST_PAGE || size <= SMALLEST_PAGE) return null;
  return fewer(size);
}

/**
 * Reads a page. If the answer exceeds the maximum size, returns an empty page, and the next request asks for fewer
 * records from the same position.
 * @throws any error of `read`, including AnswerTooLarge if the page size cannot be reduced.
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

/** The number of consecutive empty pages, including this one. @throws SourceFailure platform_unavailable */
export function emptyPages(before: number, items: readonly unknown[]): number {
  if (items.length > 0) return 0;
  if (before + 1 >= MOST_EMPTY_PAGES) throw misunderstood('was empty repeatedly');
  return before + 1;
}

/**
 * The object of a successful answer, whatever its status in 2xx.
 * @returns null for a 4xx answer.
 * @throws SourceFailure platform_unavailable for any other answer.
 */
export function goodAnswer({ status, value }: PlatformAnswer): JsonObject | null {
  if (status >= 400) return null;
  if (status < 200 || status > 299 || !isJsonObject(value)) throw misunderstood('contains no object');
  return value;
}

/** The items of a list. Empty, instead of a failure, if the list does not exist or access to it is denied. */
export async function itemsWhereAllowed(
  asked: Promise<PlatformAnswer>,
  listName: string,
): Promise<readonly unknown[]> {
  return noneWhereRefused(
    asked.then((answer) => (answer.status >= 400 ? [] : pageIn(answer, listName).items)),
  );
}

/** The result of a request. Empty, instead of a failure, if the resource does not exist or access to it is denied. */
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

/** Characters that a header accepts, without blanks. */
const KEY = /^[\x21-\x7e]{1,512}$/;

/** What is wrong with a key, as far as its text shows. */
export function problemOfKey({ apiKey }: Credentials): CredentialProblem | null {
  if (KEY.test(apiKey ?? '')) return null;
  return { field: 'credentials.apiKey', message: 'must be 1 to 512 visible ASCII characters' };
}

/** @throws SourceFailure invalid_credentials if there is a problem. No request is sent with such credentials. */
export function assertUsable(problem: CredentialProblem | null): void {
  if (problem === null) return;
  const { field, message } = problem;
  throw new SourceFailure('invalid_credentials', `${snakeCase(field)} ${message}`);
}
