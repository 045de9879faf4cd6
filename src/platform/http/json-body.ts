/**
 * Reads JSON bodies and refuses, before anyone sees them, those that would break something further in: keys that
 * poison prototypes, nesting that overflows a stack, more values than can be read in a moment. Section 7: an invalid
 * request body answers 400. Text that cannot be stored is left to the readers: in a batch it must not cost the other
 * items. Bytes that are no UTF-8 are refused as a whole, since nobody can tell any more what they were meant to be.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { DomainError, invalidFields } from '../../kernel/domain-error.js';
import { flawOf, holdsFiniteNumbers, isJsonObject, OUT_OF_RANGE } from '../../kernel/json.js';
import { parseJson } from '../../kernel/json-text.js';
import { holdsMoreValues, MOST_VALUES, MOST_VALUES_OF_ITEMS } from './body-values.js';

/**
 * Routes whose body is a list of items, and the member that holds it. One bad item must not cost the others, so their
 * readers ask `flawOf` of each; here only what stands around the items is judged.
 */
const BODIES_OF_ITEMS: ReadonlyMap<string | undefined, string> = new Map([
  ['/v1/contacts/bulk', 'contacts'],
  ['/v1/events/batch', 'events'],
]);

type Done = (error: Error | null, body?: unknown) => void;

/** Parses a JSON body. An empty one is undefined, since clients send the content type with no content. */
export function parseJsonBody(request: FastifyRequest, body: Buffer, done: Done): void {
  if (body.length === 0) {
    done(null, undefined);
    return;
  }
  if (!isUtf8(body)) {
    done(invalid('The body is not valid UTF-8.'));
    return;
  }
  const member = BODIES_OF_ITEMS.get(request.routeOptions.url);
  const most = member === undefined ? MOST_VALUES : MOST_VALUES_OF_ITEMS;
  if (holdsMoreValues(body, most)) {
    done(new DomainError('payload_too_large', 'The body holds more values than this route accepts.'));
    return;
  }
  let value: unknown;
  try {
    value = parseJson(body.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    done(invalid('The body is not valid JSON.'));
    return;
  }
  const judged = withoutItems(value, member);
  const flaw = flawOf(judged);
  if (flaw === undefined) done(null, value);
  else done(flaw === OUT_OF_RANGE ? outOfRange(judged) : invalid(`The body ${flaw}.`));
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
  return invalidFields([{ field, message: 'must hold no number that is out of range' }]);
}

function invalid(detail: string): DomainError {
  return new DomainError('validation_error', detail);
}
