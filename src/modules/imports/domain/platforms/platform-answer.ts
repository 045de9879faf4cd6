/** Requests to platforms and checks of their answers: distinguishes statuses, and takes no structure for granted. */
import { flawOf, isJsonObject, type JsonObject } from '../../../../kernel/json.js';
import { type ExactNumberLimits, parseJson } from '../../../../kernel/json-text.js';
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
import { markedStorablePart } from '../storable-part.js';

export interface PlatformAnswer {
  readonly status: number;
  /** Undefined if the body of an error is no JSON. */
  readonly value: unknown;
  readonly headers: SourceAnswer['headers'];
  /** Size of the body. */
  readonly bytes: number;
}

/** Limits of exact numbers in one answer. An answer with more counts as unreadable. */
export const ANSWER_NUMBER_LIMITS: ExactNumberLimits = { numbers: 100_000, characters: 4_194_304 };

/** Maximum number of consecutive empty pages while the platform reports more. */
export const MAX_EMPTY_PAGES = 50;

/** Maximum size of a page, in bytes. A larger one is requested again with fewer records. */
const MAX_PAGE_BYTES = 8 * 1_024 * 1_024;
/** Number of records of a page that is accepted whatever its size. */
const MIN_PAGE_RECORDS = 10;

/** How often a cursor that the platform no longer knows is replaced. */
export const MAX_LOST_CURSORS = 3;

/** Maximum length of a platform's own cursor, in characters. */
const MAX_PLATFORM_CURSOR_LENGTH = 8_192;

/**
 * Sends a request. If a successful answer is no JSON, retries once more than `SourceCalls` does.
 * @param body makes it a POST.
 * @throws SourceFailure
 */
export async function sendRequest(
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
    return parseJson(body.toString('utf8'), ANSWER_NUMBER_LIMITS);
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
  if (!Array.isArray(items)) throw unexpectedResponse(`contains no list "${listName}"`);
  return { page, items: items.map(storableItem) };
}

/** An item that is nested too deep, or cannot be stored, is reduced to its valid part. */
function storableItem(item: unknown): unknown {
  const flaw = flawOf(item);
  if (flaw === undefined) return item;
  return isJsonObject(item) ? markedStorablePart(item, flaw) : null;
}

/** The failure for an answer that does not match the API. */
export function unexpectedResponse(what: string): SourceFailure {
  return new SourceFailure('platform_unavailable', `A response of the platform ${what}.`);
}

/**
 * Checks a platform's own cursor of a page: it must differ from the last one, and can be stored.
 * @throws SourceFailure platform_unavailable
 */
export function checkedCursor(next: string, before: string | null): string {
  if (next === before) throw unexpectedResponse('points back to itself');
  if (next.length > MAX_PLATFORM_CURSOR_LENGTH)
    throw unexpectedResponse('contains a cursor that is too long');
  return next;
}

/**
 * How many records to request instead of a page that is too large.
 * @returns null for a page that can be accepted.
 */
export function reducedPageSize(answer: PlatformAnswer, size: number): number | null {
  if (answer.bytes <= MAX_PAGE_BYTES || size <= MIN_PAGE_RECORDS) return null;
  return shrunkSize(size);
}

/**
 * Reads a page. If the answer exceeds the maximum size, returns an empty page, and the next request asks for fewer
 * records from the same position.
 * @throws any error of `read`, including AnswerTooLarge if the page size cannot be reduced.
 */
export async function readOrShrinkPage(
  cursor: Cursor & { readonly pageSize: number },
  read: () => Promise<SourcePage>,
): Promise<SourcePage> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof AnswerTooLarge) || cursor.pageSize <= MIN_PAGE_RECORDS) throw error;
    return { records: [], next: { ...cursor, pageSize: shrunkSize(cursor.pageSize) } };
  }
}

function shrunkSize(size: number): number {
  return Math.max(MIN_PAGE_RECORDS, Math.floor(size / 4));
}

/** The number of consecutive empty pages, including this one. @throws SourceFailure platform_unavailable */
export function emptyPages(before: number, items: readonly unknown[]): number {
  if (items.length > 0) return 0;
  if (before + 1 >= MAX_EMPTY_PAGES) throw unexpectedResponse('was empty repeatedly');
  return before + 1;
}

/**
 * The object of a successful answer, whatever its status in 2xx.
 * @returns null for a 4xx answer.
 * @throws SourceFailure platform_unavailable for any other answer.
 */
export function bodyOrNull({ status, value }: PlatformAnswer): JsonObject | null {
  if (status >= 400) return null;
  if (status < 200 || status > 299 || !isJsonObject(value)) throw unexpectedResponse('contains no object');
  return value;
}

/** The items of a list. Empty, instead of a failure, if the list does not exist or access to it is denied. */
export async function itemsOrEmpty(
  response: Promise<PlatformAnswer>,
  listName: string,
): Promise<readonly unknown[]> {
  return emptyIfDenied(
    response.then((answer) => (answer.status >= 400 ? [] : pageIn(answer, listName).items)),
  );
}

/** The result of a request. Empty, instead of a failure, if the resource does not exist or access to it is denied. */
export async function emptyIfDenied<T>(response: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await response;
  } catch (error) {
    const isDenied =
      error instanceof SourceFailure &&
      (error.code === 'invalid_credentials' || error.code === 'source_not_found');
    if (isDenied) return [];
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
