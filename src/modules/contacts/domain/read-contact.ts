/**
 * Reads contact data from applications, from any source: `POST /v1/contacts`, the `contact` of an event, a seed file,
 * an update_contact step. With one reader, a field means the same everywhere (section 2.11).
 */
import { LRUCache } from 'lru-cache';
import { jsonText } from '../../../kernel/json-text.js';
import { DomainError, invalidFields, missingField, type FieldError } from '../../../kernel/domain-error.js';
import { isEmailAddress } from '../../../kernel/email-address.js';
import {
  isFiniteJson,
  isJsonObject,
  isStorableJson,
  isStorableText,
  type JsonObject,
} from '../../../kernel/json.js';
import { isLonger } from '../../../kernel/text-length.js';
import { isTimeZone } from '../../../kernel/time-zone.js';
import {
  WRITABLE_STATUSES,
  FIELDS_BY_REQUEST_NAME,
  type ContactChanges,
  type WritableStatus,
} from './contact.js';
import { isPseudonym } from './pseudonym.js';

const MAX_TEXT_LENGTH = 255;
/** Maximum number of tags in a list. */
export const MAX_CONTACT_TAGS = 100;
const MAX_PROPERTIES_CHARACTERS = 65_536;

/** Lists of tags by their names in requests. */
const TAG_FIELDS: Readonly<Record<string, 'tags' | 'addTags' | 'removeTags'>> = {
  tags: 'tags',
  $add_tags: 'addTags',
  add_tags: 'addTags',
  $remove_tags: 'removeTags',
  remove_tags: 'removeTags',
};

export interface ContactInput {
  readonly externalId: string;
  readonly changes: ContactChanges;
  /** The requested status; undefined if it does not change. */
  readonly status?: WritableStatus;
}

/**
 * Reads a contact with its identifier.
 * @throws DomainError validation_error without external_id, invalid_email, invalid_field otherwise.
 */
export function readContact(input: unknown): ContactInput {
  if (!isJsonObject(input)) throw new DomainError('validation_error', 'The body must be a JSON object.');
  const { subscription_status: status, ...fields } = input;
  return withStatus(readContactIn(fields, ''), status);
}

/**
 * Like `readContact`, for a contact inside another object.
 * @param prefix put before the names of fields in errors, such as `to.`.
 */
export function readContactIn(input: JsonObject, prefix: string): ContactInput {
  const { external_id: externalId, user_id: userId, ...fields } = input;
  return {
    externalId: readExternalId(externalId, userId, prefix),
    changes: readContactChanges(fields, prefix),
  };
}

/**
 * Reads the changes of the contact named in the path.
 * @throws DomainError invalid_email or invalid_field; also if the body names another contact than the path.
 */
export function readContactPatch(externalId: string, input: unknown): ContactInput {
  if (!isJsonObject(input)) throw new DomainError('validation_error', 'The body must be a JSON object.');
  const { external_id: named, user_id: alias, subscription_status: status, ...fields } = input;
  for (const [field, value] of Object.entries({ external_id: named, user_id: alias }))
    if (value !== undefined && value !== externalId)
      throw invalidFields([
        { field, message: 'must equal the external_id in the path: a contact keeps its identifier' },
      ]);
  return withStatus({ externalId, changes: readContactChanges(fields, '') }, status);
}

function withStatus(input: ContactInput, status: unknown): ContactInput {
  if (status === undefined) return input;
  const known = WRITABLE_STATUSES.find((one) => one === status);
  if (known) return { ...input, status: known };
  const hint = status === 'deleted' ? '; to delete a contact, use DELETE /v1/contacts/{external_id}' : '';
  throw invalidFields([
    { field: 'subscription_status', message: `must be ${WRITABLE_STATUSES.join(' or ')}${hint}` },
  ]);
}

/**
 * Reads the identifier that names a contact; `user_id` is its deprecated alias.
 * @throws DomainError
 */
export function readExternalId(externalId: unknown, alias: unknown, prefix = ''): string {
  const field = `${prefix}${externalId === undefined && alias !== undefined ? 'user_id' : 'external_id'}`;
  const value = externalId ?? alias;
  if (value === undefined) throw missingField(`${prefix}external_id`);
  const error = textError(value, MAX_TEXT_LENGTH);
  if (error !== undefined || value === '')
    throw invalidFields([{ field, message: error ?? 'must not be empty' }]);
  const name = value as string;
  if (isPseudonym(name))
    throw invalidFields([{ field, message: 'must not look like the identifier of an erased contact' }]);
  return name;
}

/**
 * Reads new data about a contact.
 * @param prefix put before the names of fields in errors, such as `contact.`.
 * @throws DomainError invalid_email, or invalid_field naming every field that is wrong or unknown.
 */
export function readContactChanges(input: JsonObject, prefix: string): ContactChanges {
  const errors: FieldError[] = [];
  const changes: Record<string, unknown> = {};
  const badEmail = { field: `${prefix}email`, message: 'must be an email address' };
  for (const [name, value] of Object.entries(input)) {
    const message = errorOf(name, value);
    if (message !== undefined) errors.push({ field: prefix + name, message });
    else if (name === 'email' && typeof value === 'string' && !isEmailAddress(value)) errors.push(badEmail);
    else if (Object.hasOwn(TAG_FIELDS, name)) addTags(changes, TAG_FIELDS[name] ?? 'tags', value as string[]);
    else changes[FIELDS_BY_REQUEST_NAME.get(name) ?? name] = value;
  }
  if (errors.length === 1 && errors[0] === badEmail)
    throw new DomainError('invalid_email', `${prefix}email must be an email address.`, { errors });
  if (errors.length > 0) throw invalidFields(errors);
  return changes;
}

/** If an operator occurs under both of its names, both lists count. */
function addTags(changes: Record<string, unknown>, field: string, tags: readonly string[]): void {
  const before = (changes[field] as readonly string[] | undefined) ?? [];
  changes[field] = [...new Set([...before, ...tags])];
}

function errorOf(name: string, value: unknown): string | undefined {
  if (name === 'properties') return propertiesError(value);
  if (Object.hasOwn(TAG_FIELDS, name)) return tagsError(value);
  if (!FIELDS_BY_REQUEST_NAME.has(name)) return 'is not a known field';
  if (value === null) return undefined;
  const error = textError(value, MAX_TEXT_LENGTH);
  if (error !== undefined) return error;
  if (name === 'timezone' && !isTimeZone(value as string))
    return 'must be an IANA time zone, such as Europe/Berlin';
  if (name === 'locale' && !isLocale(value as string)) return 'must be a locale, such as en-US';
  return undefined;
}

function textError(value: unknown, maxLength: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (isLonger(value, maxLength)) return `must be at most ${maxLength} characters long`;
  return isStorableText(value) ? undefined : 'must not contain NUL characters or unpaired surrogates';
}

function propertiesError(value: unknown): string | undefined {
  if (!isJsonObject(value)) return 'must be an object';
  const json = jsonText(value);
  if (json.length > MAX_PROPERTIES_CHARACTERS)
    return `must be at most ${MAX_PROPERTIES_CHARACTERS} characters of JSON`;
  if (!isFiniteJson(value, json)) return 'must not contain a number that is out of range';
  return isStorableJson(json) ? undefined : 'must not contain NUL characters or unpaired surrogates';
}

function tagsError(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length > MAX_CONTACT_TAGS)
    return `must be a list of at most ${MAX_CONTACT_TAGS} strings`;
  return value.every((tag) => tag !== '' && textError(tag, MAX_TEXT_LENGTH) === undefined)
    ? undefined
    : `must contain strings of 1 to ${MAX_TEXT_LENGTH} characters`;
}

/** Maximum number of cached texts. */
const MAX_CACHED_LOCALES = 5_000;
const localeCache = new LRUCache<string, boolean>({ max: MAX_CACHED_LOCALES });

/** Whether a text is a locale. Cached, because the check costs more than the rest of reading a contact. */
export function isLocale(text: string): boolean {
  return cachedCheck(`l:${text}`, () => void Intl.getCanonicalLocales(text));
}

function cachedCheck(key: string, check: () => void): boolean {
  const cached = localeCache.get(key);
  if (cached !== undefined) return cached;
  let isValid = true;
  try {
    check();
  } catch {
    isValid = false;
  }
  localeCache.set(key, isValid);
  return isValid;
}
