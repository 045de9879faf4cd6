/**
 * Maps a record of a source to a contact (section 4.9). The job's mapping decides first, then the source's table; all
 * other fields become properties. The result is read like a contact of a bulk request, with the same limits and the
 * same error messages. Empty values change nothing.
 */
import { DomainError, type FieldError, invalidFields } from '../../../kernel/domain-error.js';
import { ExactNumber, isNumber } from '../../../kernel/exact-number.js';
import { jsonText } from '../../../kernel/json-text.js';
import type { JsonObject, JsonValue } from '../../../kernel/json.js';
import { truncate } from '../../../kernel/text-length.js';
import { isTimeZone } from '../../../kernel/time-zone.js';
import type { ContactChanges } from '../../contacts/domain/contact.js';
import { readBulkItem } from '../../contacts/domain/read-bulk.js';
import { isLocale, readContactChanges, readExternalId } from '../../contacts/domain/read-contact.js';
import { type FieldType, typedValue } from './field-types.js';
import type { SourceContact, OptOutReason, UnreadableRecord } from './source-record.js';
import type { RowError } from './import-error.js';
import type { ImportConfig, MappingTarget } from './import-job.js';
import { MAX_ERROR_ID_LENGTH } from './import-bounds.js';
import { moreSevere, statusIn } from './opt-outs.js';
import { MAX_ERROR_TEXT_LENGTH } from './work-limits.js';

/** How a job's records are read. */
export interface Mapping {
  /** The job's mapping. */
  readonly configured: ReadonlyMap<string, MappingTarget>;
  /** The source's own table. Applies if the job's mapping yields no value for the same target. */
  readonly defaults: ReadonlyMap<string, MappingTarget>;
  readonly tags: readonly string[];
  /** Of fields that become properties. */
  readonly types: ReadonlyMap<string, FieldType>;
}

/** A record converted to a contact. */
export interface MappedContact {
  readonly row: number;
  readonly externalId: string;
  readonly email: string | null;
  /** Whether the source has no identifier of its own. The address in lower case is then used as the identifier. */
  readonly isByEmail: boolean;
  readonly changes: ContactChanges;
  readonly optOut: OptOutReason | null;
  /** How many of its values did not fit their field's type. */
  readonly mistyped: number;
}

const NO_IDENTIFIER_ERROR = new DomainError(
  'validation_error',
  'The record needs an external_id or an email.',
);

/**
 * An opt-out from a record that did not become a contact, as far as it can be read: with an identifier or an address
 * at least.
 */
export interface RejectedOptOut {
  readonly externalId: string | null;
  readonly email: string | null;
  readonly optOut: OptOutReason;
}

/** An invalid record. An opt-out in it is respected all the same. */
export interface RejectedRecord extends RowError {
  readonly rejectedOptOut: RejectedOptOut | null;
}

/** The job's mapping, on top of the source's own table. */
export function mappingOf(
  fields: Readonly<Record<string, MappingTarget>>,
  { fieldMapping, fieldTypes = {}, tags }: Pick<ImportConfig, 'fieldMapping' | 'fieldTypes' | 'tags'>,
): Mapping {
  return {
    configured: new Map(Object.entries(fieldMapping)),
    defaults: new Map(Object.entries(fields)),
    tags,
    types: new Map(Object.entries(fieldTypes)),
  };
}

/** The contact that a record describes, or the record's error. */
export function mapRecord(record: SourceContact, mapping: Mapping): MappedContact | RejectedRecord {
  const { contact, properties, tags, optOut, misread, mistyped } = sortFields(record, mapping);
  const ownId = contact['external_id'] ?? record.externalId ?? undefined;
  const email = contact['email'];
  const externalId = ownId ?? (typeof email === 'string' ? email.toLowerCase() : email);
  try {
    if (misread.length > 0) throw invalidFields(misread);
    if (externalId === undefined) throw NO_IDENTIFIER_ERROR;
    contact['external_id'] = externalId;
    const { externalId: id, changes } = readBulkItem({
      ...contact,
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(mapping.tags.length > 0 ? { add_tags: mapping.tags } : {}),
      ...(tags.length > 0 ? { $add_tags: tags } : {}),
    });
    return {
      row: record.row,
      externalId: id,
      email: changes.email ?? null,
      isByEmail: ownId === undefined,
      changes,
      optOut,
      mistyped,
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const name = typeof externalId === 'string' ? externalId : null;
    return {
      ...rowError(record.row, name, error),
      rejectedOptOut: readableOptOut(ownId, contact['email'], optOut),
    };
  }
}

/** The error of a record that could not be read. The part that could be read gives the identifier and an opt-out. */
export function rejectUnreadable(record: UnreadableRecord, mapping: Mapping): RejectedRecord {
  const readablePart = record.readablePart === undefined ? null : mapRecord(record.readablePart, mapping);
  return {
    ...rowError(record.row, readablePart?.externalId ?? record.externalId, record),
    rejectedOptOut:
      readablePart === null
        ? null
        : 'changes' in readablePart
          ? rejectedOptOutOf(readablePart)
          : readablePart.rejectedOptOut,
  };
}

/** The opt-out of a contact that will not be created. */
function rejectedOptOutOf({ externalId, email, isByEmail, optOut }: MappedContact): RejectedOptOut | null {
  return optOut === null ? null : { externalId: isByEmail ? null : externalId, email, optOut };
}

/** The opt-out, as far as it can be read; null if there is none, or no identifier. */
function readableOptOut(
  ownId: JsonValue | undefined,
  emailValue: JsonValue | undefined,
  optOut: OptOutReason | null,
): RejectedOptOut | null {
  if (optOut === null) return null;
  const externalId = readable(() => readExternalId(ownId, undefined));
  const email = readable(() => readContactChanges({ email: emailValue ?? null }, '').email);
  return externalId === null && email === null ? null : { externalId, email, optOut };
}

function readable(read: () => string | null | undefined): string | null {
  try {
    return read() ?? null;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** A record's error, in the form that is stored. */
export function rowError(
  row: number,
  externalId: string | null,
  { code, detail }: { readonly code: string; readonly detail: string },
): RowError {
  const truncated = (text: string, maxLength: number): string => storable(truncate(text, maxLength));
  return {
    row,
    externalId: externalId === null ? null : truncated(externalId, MAX_ERROR_ID_LENGTH),
    code,
    detail: truncated(detail, MAX_ERROR_TEXT_LENGTH),
  };
}

interface SortedFields {
  readonly contact: Record<string, JsonValue>;
  readonly properties: JsonObject;
  /** The record's own tags. */
  readonly tags: readonly string[];
  readonly optOut: OptOutReason | null;
  /** Values of mapped fields that cannot be interpreted. */
  readonly misread: readonly FieldError[];
  readonly mistyped: number;
}

function sortFields(
  { fields, optOut: reportedOptOut, apart }: SourceContact,
  { configured, defaults, types }: Mapping,
): SortedFields {
  const contact: Record<string, JsonValue> = {};
  const properties: [string, JsonValue][] = [];
  const misread: FieldError[] = [];
  let mistyped = 0;
  const typed = (name: string, value: JsonValue): JsonValue => {
    const type = types.get(name);
    const read = type === undefined ? value : typedValue(type, value);
    if (read === undefined) mistyped++;
    return read ?? value;
  };
  let optOut = reportedOptOut;
  const assign = (name: string, target: MappingTarget, value: JsonValue): void => {
    if (target === 'subscription_status') {
      const status = statusIn(name, value);
      optOut = moreSevere(optOut, status?.optOut ?? null);
      if (status === null && isMeantAsStatus(name, configured)) misread.push(notAStatus(name, value));
      else if (status?.isAll !== true) properties.push([name, value]);
      return;
    }
    const text = target === 'external_id' ? identifierOf(value) : textOf(target, value);
    if (text === '') return;
    if (DIGIT_FIELDS.has(target) && typeof text === 'string' && SCIENTIFIC_NOTATION.test(text)) {
      misread.push({ field: name, message: LOST_DIGITS_MESSAGE });
      return;
    }
    if (!Object.hasOwn(contact, target) && fits(target, text)) contact[target] = text;
    else properties.push([name, value]);
  };
  const defaulted: [string, MappingTarget, JsonValue][] = [];
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined || value === null || value === '') continue;
    const target = configured.get(name);
    const defaultTarget = target === undefined ? defaults.get(name) : undefined;
    if (target !== undefined) assign(name, target, value);
    else if (defaultTarget !== undefined) defaulted.push([name, defaultTarget, value]);
    else if (apart?.names.has(name) !== true) properties.push([name, typed(name, value)]);
  }
  for (const [name, target, value] of defaulted) assign(name, target, value);
  const nestedProperties = apart && !configured.has('properties') ? Object.entries(apart.properties) : [];
  const tags = apart && !configured.has('tags') ? apart.tags : [];
  return {
    contact,
    properties: Object.fromEntries([...nestedProperties, ...properties]),
    tags,
    optOut,
    misread,
    mistyped,
  };
}

/** Whether a job maps the field, or it has the contract's own name. */
function isMeantAsStatus(name: string, configured: Mapping['configured']): boolean {
  return configured.has(name) || name.toLowerCase() === 'subscription_status';
}

/** Maximum length of a value that an error shows, in characters. */
const MAX_SHOWN_LENGTH = 100;

function notAStatus(field: string, value: JsonValue): FieldError {
  const shown = truncate(jsonText(value), MAX_SHOWN_LENGTH);
  return { field, message: `is mapped to subscription_status, and ${shown} is not a known status` };
}

/** Numbers and booleans become strings, and strings are trimmed. Other values are rejected later. */
function textOf(target: MappingTarget, value: JsonValue): JsonValue {
  if (target === 'locale') return typeof value === 'string' ? value.trim().replaceAll('_', '-') : value;
  if (typeof value === 'string') return value.trim();
  return isNumber(value) || typeof value === 'boolean' ? String(value) : value;
}

/** Fields whose digits identify people. */
const DIGIT_FIELDS: ReadonlySet<MappingTarget> = new Set(['external_id', 'phone']);
/** A long number in the notation of spreadsheets and data frames: `1.23457E+12`, in some languages `1,23457E+12`. */
const SCIENTIFIC_NOTATION = /^[+-]?\d(?:[.,]\d*)?e\+\d{2,3}$/i;
const LOST_DIGITS_MESSAGE =
  'is a number whose digits a spreadsheet has truncated: format the column as text and export it again';

/** Below this, numbers are written with all digits by default. */
const TEN_TO_THE_21 = 1e21;

/**
 * An integer is written with all its digits. One whose digits were lost is rejected later, like all other invalid
 * values.
 */
function identifierOf(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.trim();
  if (value instanceof ExactNumber) return /^-?\d+$/.test(value.text) ? value.text : value;
  const isWhole = Number.isInteger(value) && !Object.is(value, -0) && Math.abs(Number(value)) < TEN_TO_THE_21;
  return typeof value === 'number' && isWhole ? BigInt(value).toString() : value;
}

/** Maximum length of a locale, in characters. */
const MAX_LOCALE_LENGTH = 64;

/**
 * Other services' values for a time zone or a locale need not be valid here. An unsuitable value becomes a property,
 * so it is not lost.
 */
function fits(target: MappingTarget, value: JsonValue): boolean {
  if (typeof value !== 'string') return true;
  if (target === 'timezone') return isTimeZone(value);
  return target !== 'locale' || (value.length <= MAX_LOCALE_LENGTH && isLocale(value));
}

/** Without characters that PostgreSQL cannot store in a text. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
