/**
 * From a record of a source to a contact of ours (section 4.9): fields go where the job's mapping says, else where the
 * source's table says, and all others become properties. What results is read as a contact of a bulk is, so that the same
 * bounds hold and the same words are said of what is wrong. What is empty changes nothing.
 */
import { DomainError } from '../../../kernel/domain-error.js';
import type { JsonObject, JsonValue } from '../../../kernel/json.js';
import { beginningOf } from '../../../kernel/text-length.js';
import { isTimeZone } from '../../../kernel/time-zone.js';
import type { ContactChanges } from '../../contacts/domain/contact.js';
import { readBulkItem } from '../../contacts/domain/read-bulk.js';
import { isLocale } from '../../contacts/domain/read-contact.js';
import type { ForeignContact, OptOutReason } from './foreign-contact.js';
import type { RowError } from './import-error.js';
import type { ImportConfig, MappingTarget } from './import-job.js';
import { graver, optOutIn } from './opt-outs.js';
import { LONGEST_ERROR_ID } from './import-bounds.js';
import { LONGEST_ERROR_TEXT } from './work-bounds.js';

/** How a job's records are read. */
export interface Mapping {
  /** What the job says. */
  readonly said: ReadonlyMap<string, MappingTarget>;
  /** The source's own table: holds where the job fills the same target with nothing. */
  readonly own: ReadonlyMap<string, MappingTarget>;
  readonly tags: readonly string[];
}

/** A record as a contact of ours. */
export interface MappedContact {
  readonly row: number;
  readonly externalId: string;
  readonly email: string | null;
  readonly changes: ContactChanges;
  readonly optOut: OptOutReason | null;
}

/** What the job says, over the source's own table. */
export function mappingOf(
  fields: Readonly<Record<string, MappingTarget>>,
  { fieldMapping, tags }: Pick<ImportConfig, 'fieldMapping' | 'tags'>,
): Mapping {
  return { said: new Map(Object.entries(fieldMapping)), own: new Map(Object.entries(fields)), tags };
}

/** The contact that a record is about, or what is wrong with it. */
export function mapRecord(record: ForeignContact, mapping: Mapping): MappedContact | RowError {
  const { contact, properties, optOut } = sorted(record, mapping);
  const externalId = contact['external_id'] ?? record.externalId ?? contact['email'];
  try {
    if (externalId !== undefined) contact['external_id'] = externalId;
    const { externalId: id, changes } = readBulkItem({
      ...contact,
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(mapping.tags.length > 0 ? { add_tags: mapping.tags } : {}),
    });
    return { row: record.row, externalId: id, email: changes.email ?? null, changes, optOut };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const name = typeof externalId === 'string' ? externalId : null;
    return rowError(record.row, name, error);
  }
}

/** What is wrong with a record, as it is kept. */
export function rowError(
  row: number,
  externalId: string | null,
  { code, detail }: { readonly code: string; readonly detail: string },
): RowError {
  const kept = (text: string, most: number): string => storable(beginningOf(text, most));
  return {
    row,
    externalId: externalId === null ? null : kept(externalId, LONGEST_ERROR_ID),
    code,
    detail: kept(detail, LONGEST_ERROR_TEXT),
  };
}

interface Sorted {
  readonly contact: Record<string, JsonValue>;
  readonly properties: JsonObject;
  readonly optOut: OptOutReason | null;
}

function sorted({ fields, optOut: known }: ForeignContact, { said, own }: Mapping): Sorted {
  const contact: Record<string, JsonValue> = {};
  const properties: [string, JsonValue][] = [];
  let optOut = known;
  const place = (name: string, target: MappingTarget, value: JsonValue): void => {
    if (target === 'subscription_status') {
      optOut = graver(optOut, optOutIn(name, value));
      return;
    }
    const text = textOf(value);
    if (text === '') return;
    if (!Object.hasOwn(contact, target) && fits(target, text)) contact[target] = text;
    else properties.push([name, value]);
  };
  const later: [string, MappingTarget, JsonValue][] = [];
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined || value === null || value === '') continue;
    const target = said.get(name);
    const usual = target === undefined ? own.get(name) : undefined;
    if (target !== undefined) place(name, target, value);
    else if (usual !== undefined) later.push([name, usual, value]);
    else properties.push([name, value]);
  }
  for (const [name, target, value] of later) place(name, target, value);
  return { contact, properties: Object.fromEntries(properties), optOut };
}

/** Numbers and truth values are written out, and texts are trimmed; what is no text is refused later. */
function textOf(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** Characters of a locale. */
const LONGEST_LOCALE = 64;

/** What other services call a time zone, or a locale, need not be one; as a property it is not lost. */
function fits(target: MappingTarget, value: JsonValue): boolean {
  if (typeof value !== 'string') return true;
  if (target === 'timezone') return isTimeZone(value);
  return target !== 'locale' || (value.length <= LONGEST_LOCALE && isLocale(value));
}

/** Without what PostgreSQL keeps in no text. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
