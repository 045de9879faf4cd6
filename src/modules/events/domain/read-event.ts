/**
 * Parses events that applications send, sections 4.10 and 6.3. Written without decorators, because this is the busiest
 * path of the product. Returns what is stored, or throws the error response.
 */
import { jsonText } from '../../../kernel/json-text.js';
import {
  DomainError,
  invalidFields,
  listErrors,
  missingField,
  type FieldError,
} from '../../../kernel/domain-error.js';
import { readAttributes } from '../../../kernel/event-attributes.js';
import { isEventName } from '../../../kernel/event-name.js';
import { EARLIEST_MOMENT, readIsoMoment } from '../../../kernel/iso-moment.js';
import { flawOf, isJsonObject, isStorableText, OUT_OF_RANGE, type JsonObject } from '../../../kernel/json.js';
import { isLonger } from '../../../kernel/text-length.js';
import { readContactChanges, readExternalId } from '../../contacts/domain/read-contact.js';
import { MAX_EVENT_BYTES } from './accepted-event.js';

export interface IncomingEvent {
  readonly externalId: string;
  readonly eventName: string;
  /** JSON text of the attributes. */
  readonly attributes: string;
  /** JSON text of the contact's changes; null if there are none. */
  readonly contact: string | null;
  readonly idempotencyKey: string | null;
  readonly occurredAt: Date;
}

const MAX_NAME_LENGTH = 255;
const NAME_RULE = `must be lower snake case, such as order_placed, and at most ${MAX_NAME_LENGTH} characters long`;
const FUTURE_TOLERANCE_MS = 5 * 60_000;
/** Maximum errors in one response. */
const MAX_ERRORS = 100;

const FIELDS = new Set([
  'external_id',
  'user_id',
  'event_name',
  'attributes',
  'contact',
  'contact_override',
  'contact_overrides',
  'idempotency_key',
  'occurred_at',
]);

/**
 * Parses one event. Only if something is wrong is it parsed again to collect all errors, so valid events pay nothing
 * for this.
 * @param now the product's current time: the default of `occurred_at`, which may be at most five minutes after it.
 * @throws DomainError validation_error, invalid_event_name, invalid_email or invalid_field: the code is that of the
 * first error, and the list has all.
 */
export function readEvent(input: unknown, now: Date): IncomingEvent {
  if (!isJsonObject(input)) throw new DomainError('validation_error', 'An event must be a JSON object.');
  try {
    return readFields(input, now);
  } catch (error) {
    throw error instanceof DomainError ? collectErrors(input, now, error) : error;
  }
}

function readFields(input: JsonObject, now: Date): IncomingEvent {
  for (const name in input) if (!FIELDS.has(name)) throw invalidFields([unknownField(name)]);
  const externalId = readExternalId(input['external_id'], input['user_id']);
  const eventName = readName(input['event_name']);
  const attributes = attributesOf(input['attributes']);
  const contact = readContact(input);
  assertSize(attributes, contact);
  return {
    externalId,
    eventName,
    attributes,
    contact,
    idempotencyKey: readIdempotencyKey(input['idempotency_key']),
    occurredAt: readMoment(input['occurred_at'], now),
  };
}

/** The error that lists everything that is wrong, field by field in the order of parsing. */
function collectErrors(input: JsonObject, now: Date, first: DomainError): DomainError {
  const errors: FieldError[] = Object.keys(input)
    .filter((name) => !FIELDS.has(name))
    .slice(0, MAX_ERRORS)
    .map(unknownField);
  const attempt = <Value>(read: () => Value): Value | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      errors.push(...(error.fields.errors ?? []));
      return undefined;
    }
  };
  attempt(() => readExternalId(input['external_id'], input['user_id']));
  attempt(() => readName(input['event_name']));
  const attributes = attempt(() => attributesOf(input['attributes']));
  const contact = attempt(() => readContact(input));
  if (attributes !== undefined && contact !== undefined) attempt(() => assertSize(attributes, contact));
  attempt(() => readIdempotencyKey(input['idempotency_key']));
  attempt(() => readMoment(input['occurred_at'], now));
  if (errors.length === 1) return first;
  const listed = errors.slice(0, MAX_ERRORS);
  return new DomainError(first.code, listErrors(listed), { errors: listed });
}

function unknownField(field: string): FieldError {
  return { field, message: 'is not a known field' };
}

/**
 * Parses one event of a batch, which was not validated before.
 * @throws DomainError as `readEvent`; validation_error for poisoned keys and too deep nesting.
 */
export function readBatchedEvent(input: unknown, now: Date): IncomingEvent {
  const flaw = flawOf(input);
  // The parser itself rejects such a number, and names the field.
  if (flaw !== undefined && flaw !== OUT_OF_RANGE)
    throw new DomainError('validation_error', `The event ${flaw}.`);
  return readEvent(input, now);
}

function readName(name: unknown): string {
  if (name === undefined) throw missingField('event_name');
  if (typeof name !== 'string') throw invalidFields([{ field: 'event_name', message: 'must be a string' }]);
  if (!isEventName(name))
    throw new DomainError('invalid_event_name', `event_name ${NAME_RULE}.`, {
      errors: [{ field: 'event_name', message: NAME_RULE }],
    });
  return name;
}

function attributesOf(attributes: unknown): string {
  if (attributes === undefined) return '{}';
  const read = readAttributes(attributes);
  if (read.wrong !== undefined) throw invalidFields([{ field: 'attributes', message: read.wrong }]);
  return read.json;
}

/** The limit applies to the event as a whole. The error names the larger part. */
function assertSize(attributes: string, contact: string | null): void {
  // A text has at most three bytes per character, so most events need no counting.
  if ((attributes.length + (contact?.length ?? 0)) * 3 <= MAX_EVENT_BYTES) return;
  const [attributesSize, contactSize] = [Buffer.byteLength(attributes), Buffer.byteLength(contact ?? '')];
  if (attributesSize + contactSize <= MAX_EVENT_BYTES) return;
  const field = attributesSize >= contactSize ? 'attributes' : 'contact';
  throw invalidFields([
    { field, message: `makes the event larger than ${MAX_EVENT_BYTES} bytes of JSON (64 KB)` },
  ]);
}

/** An empty object says nothing: it is not a contact, and must not restore a deleted one. */
function readContact(input: JsonObject): string | null {
  const field = ['contact', 'contact_override', 'contact_overrides'].find(
    (name) => input[name] !== undefined,
  );
  if (field === undefined) return null;
  const contact = input[field];
  if (!isJsonObject(contact)) throw invalidFields([{ field, message: 'must be an object' }]);
  const changes = readContactChanges(contact, `${field}.`);
  return Object.keys(changes).length > 0 ? jsonText(changes) : null;
}

function readIdempotencyKey(key: unknown): string | null {
  if (key === undefined || key === null) return null;
  if (typeof key !== 'string' || key === '' || isLonger(key, MAX_NAME_LENGTH) || !isStorableText(key))
    throw invalidFields([
      { field: 'idempotency_key', message: `must be a string of 1 to ${MAX_NAME_LENGTH} characters` },
    ]);
  return key;
}

function readMoment(text: unknown, now: Date): Date {
  if (text === undefined) return now;
  const moment = typeof text === 'string' ? readIsoMoment(text) : undefined;
  if (moment?.kind !== 'exact' || moment.start < EARLIEST_MOMENT)
    throw invalidFields([{ field: 'occurred_at', message: 'must be an ISO 8601 date-time with an offset' }]);
  if (moment.start > now.getTime() + FUTURE_TOLERANCE_MS)
    throw invalidFields([
      { field: 'occurred_at', message: 'must not be more than five minutes in the future' },
    ]);
  return new Date(moment.start);
}
