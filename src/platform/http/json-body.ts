/**
 * Parses JSON bodies after authorization, and rejects those that later code cannot handle: keys that cause prototype
 * pollution, nesting that overflows the stack, and too many values to parse quickly. Section 7: an invalid request body
 * returns 400. Text that cannot be stored is left to the readers, because in a batch it must not fail the other items.
 * Invalid UTF-8 is rejected as a whole, because its meaning is unknown.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { DomainError, invalidFields } from '../../kernel/domain-error.js';
import { flawOf, holdsFiniteNumbers, isJsonObject, OUT_OF_RANGE } from '../../kernel/json.js';
import { type ExactNumberLimits, parseJson, TooManyExactNumbers } from '../../kernel/json-text.js';
import { GRAPHQL_PATH } from '../graphql/graphql-route.js';

/**
 * Routes whose body is a list of items, and the member that contains it. One invalid item must not fail the others, so
 * their readers check each item with `flawOf`; here only the rest of the body is checked.
 */
const ITEM_LISTS: ReadonlyMap<string | undefined, string> = new Map([
  ['/v1/contacts/bulk', 'contacts'],
  ['/v1/events/batch', 'events'],
]);

/** Limit on the exact numbers of one body: their digits may amount to about two of the largest contacts. */
const EXACT_NUMBER_LIMITS: ExactNumberLimits = { numbers: 20_000, characters: 524_288 };

type Done = (error: Error | null, body?: unknown) => void;

/** A raw body that has not been parsed yet. */
class UnreadBody {
  constructor(readonly bytes: Buffer) {}
}

/**
 * Takes the raw bytes of a JSON body. Parsing costs more than sending, so it waits until the caller is authorized. An
 * empty body is undefined, because clients send the content type without content. A GraphQL body is small and parsed
 * immediately, because its fields determine who may call.
 * @throws DomainError as `readBody`.
 */
export function receiveJsonBody(request: FastifyRequest, bytes: Buffer, done: Done): void {
  if (bytes.length === 0) done(null, undefined);
  else if (request.routeOptions.url === GRAPHQL_PATH) done(null, valueOf(bytes, request));
  else done(null, new UnreadBody(bytes));
}

/**
 * Replaces the raw bytes of a request by the parsed JSON. Call it after authorization and before any code reads the
 * body.
 * @throws DomainError validation_error, invalid_field, payload_too_large.
 */
export function readBody(request: FastifyRequest): void {
  if (request.body instanceof UnreadBody) request.body = valueOf(request.body.bytes, request);
}

function valueOf(body: Buffer, { routeOptions: { url } }: FastifyRequest): unknown {
  if (!isUtf8(body)) throw invalid('The body must be valid UTF-8.');
  const member = ITEM_LISTS.get(url);
  const maxValues = member === undefined ? MAX_VALUES : MAX_ITEM_VALUES;
  if (holdsMoreValues(body, maxValues))
    throw new DomainError('payload_too_large', 'The body contains more values than this endpoint accepts.');
  const value = parsed(body.toString('utf8').replace(/^\ufeff/, ''));
  const checked = withoutItems(value, member);
  const flaw = flawOf(checked);
  if (flaw === undefined) return value;
  throw flaw === OUT_OF_RANGE ? outOfRange(checked) : invalid(`The body ${flaw}.`);
}

function parsed(json: string): unknown {
  try {
    return parseJson(json, EXACT_NUMBER_LIMITS);
  } catch (error) {
    throw invalid(
      error instanceof TooManyExactNumbers
        ? 'The body contains too many numbers with more digits than a double can hold.'
        : 'The body must be valid JSON.',
    );
  }
}

/** The body without its list of items; the whole body if there is no such list. */
function withoutItems(body: unknown, member: string | undefined): unknown {
  if (member === undefined || !isJsonObject(body) || !Array.isArray(body[member])) return body;
  const { [member]: _items, ...rest } = body;
  return rest;
}

/** The error for a number that cannot be stored; names the member of the body that contains it. */
function outOfRange(body: unknown): DomainError {
  const members = isJsonObject(body) ? Object.entries(body) : [];
  const [field] = members.find(([, value]) => !holdsFiniteNumbers(value)) ?? ['body'];
  return invalidFields([{ field, message: 'must not contain a number that is out of range' }]);
}

function invalid(detail: string): DomainError {
  return new DomainError('validation_error', detail);
}

/**
 * Maximum values of a body. Parsing costs time per value, whatever its size: five megabytes of the smallest values
 * would block the process for a third of a second or more. The limit is higher for a list of items, such as a thousand
 * contacts with all their properties.
 */
export const MAX_VALUES = 100_000;
export const MAX_ITEM_VALUES = 250_000;
/** Maximum objects and lists among them. They are the most expensive, because each allocates memory. */
const MAX_CONTAINERS = 50_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/**
 * Whether a body has more than `maxValues` members and items, or too many objects and lists. Stops as soon as it knows,
 * and does not scan a body shorter than the limits. The result for invalid JSON is undefined; the parser rejects it.
 * @param body JSON in UTF-8.
 */
export function holdsMoreValues(body: Buffer, maxValues: number): boolean {
  if (body.length <= MAX_CONTAINERS) return false;
  let separators = 0;
  let containers = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === COMMA) {
      // A list or object has one separator fewer than values.
      if (++separators >= maxValues) return true;
    } else if ((byte === LIST || byte === OBJECT) && ++containers > MAX_CONTAINERS) return true;
  }
  return false;
}

/** The position of the closing quote of a string, or the end of the text if there is none. */
function endOfText(body: Buffer, start: number): number {
  for (let end = body.indexOf(QUOTE, start + 1); end !== -1; end = body.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (body[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return body.length;
}
