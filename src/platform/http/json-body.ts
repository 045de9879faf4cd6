/**
 * Reads JSON bodies, once it is known that the caller may ask, and refuses, before anyone sees them, those that would break something further in: keys that
 * poison prototypes, nesting that overflows a stack, more values than can be read in a moment. Section 7: an invalid
 * request body answers 400. Text that cannot be stored is left to the readers: in a batch it must not cost the other
 * items. Bytes that are no UTF-8 are refused as a whole, since nobody can tell any more what they were meant to be.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { DomainError, invalidFields } from '../../kernel/domain-error.js';
import { flawOf, holdsFiniteNumbers, isJsonObject, OUT_OF_RANGE } from '../../kernel/json.js';
import { type ExactBounds, parseJson, TooManyExactNumbers } from '../../kernel/json-text.js';
import { GRAPHQL_PATH } from '../graphql/graphql-route.js';
import { holdsMoreValues, MOST_VALUES, MOST_VALUES_OF_ITEMS } from './body-values.js';

/**
 * Routes whose body is a list of items, and the member that holds it. One bad item must not cost the others, so their
 * readers ask `flawOf` of each; here only what stands around the items is judged.
 */
const BODIES_OF_ITEMS: ReadonlyMap<string | undefined, string> = new Map([
  ['/v1/contacts/bulk', 'contacts'],
  ['/v1/events/batch', 'events'],
]);

/** Exact numbers of one body: their digits come to no more than two of the largest contacts. */
const MOST_EXACT: ExactBounds = { numbers: 20_000, characters: 524_288 };

type Done = (error: Error | null, body?: unknown) => void;

/** A body as it came, for as long as nobody has asked what it says. */
class UnreadBody {
  constructor(readonly bytes: Buffer) {}
}

/**
 * Takes a JSON body as it came: to read it costs more than to send it, so that is for those who may ask. An empty one
 * is undefined, since clients send the content type with no content. One of GraphQL is small, and is read at once: who
 * may ask is said by the fields that it names.
 * @throws DomainError as `readBody`.
 */
export function takeJsonBody(request: FastifyRequest, bytes: Buffer, done: Done): void {
  if (bytes.length === 0) done(null, undefined);
  else if (request.routeOptions.url === GRAPHQL_PATH) done(null, valueOf(bytes, request));
  else done(null, new UnreadBody(bytes));
}

/**
 * Puts what a request's JSON says in the place of its bytes. To be called once the caller may ask, before anybody
 * looks at the body.
 * @throws DomainError validation_error, invalid_field, payload_too_large.
 */
export function readBody(request: FastifyRequest): void {
  if (request.body instanceof UnreadBody) request.body = valueOf(request.body.bytes, request);
}

function valueOf(body: Buffer, { routeOptions: { url } }: FastifyRequest): unknown {
  if (!isUtf8(body)) throw invalid('The body must be valid UTF-8.');
  const member = BODIES_OF_ITEMS.get(url);
  const most = member === undefined ? MOST_VALUES : MOST_VALUES_OF_ITEMS;
  if (holdsMoreValues(body, most))
    throw new DomainError('payload_too_large', 'The body contains more values than this endpoint accepts.');
  const value = parsed(body.toString('utf8').replace(/^\ufeff/, ''));
  const judged = withoutItems(value, member);
  const flaw = flawOf(judged);
  if (flaw === undefined) return value;
  throw flaw === OUT_OF_RANGE ? outOfRange(judged) : invalid(`The body ${flaw}.`);
}

function parsed(json: string): unknown {
  try {
    return parseJson(json, MOST_EXACT);
  } catch (error) {
    throw invalid(
      error instanceof TooManyExactNumbers
        ? 'The body contains too many numbers with more digits than a double can hold.'
        : 'The body must be valid JSON.',
    );
  }
}

/** What stands around the list of items; all of the body where there is none. */
function withoutItems(body: unknown, member: string | undefined): unknown {
  if (member === undefined || !isJsonObject(body) || !Array.isArray(body[member])) return body;
  const { [member]: _items, ...around } = body;
  return around;
}

/** The refusal of a body with a number that nothing could store; names the member of the body that holds it. */
function outOfRange(body: unknown): DomainError {
  const members = isJsonObject(body) ? Object.entries(body) : [];
  const [field] = members.find(([, value]) => !holdsFiniteNumbers(value)) ?? ['body'];
  return invalidFields([{ field, message: 'must not contain a number that is out of range' }]);
}

function invalid(detail: string): DomainError {
  return new DomainError('validation_error', detail);
}
