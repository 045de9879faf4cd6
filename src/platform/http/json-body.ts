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
import { holdsMoreValues, MAX_VALUES, MAX_ITEM_VALUES } from './body-values.js';

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
