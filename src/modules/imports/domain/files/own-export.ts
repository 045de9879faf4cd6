/**
 * Recognizes exports of contacts that Waypost itself has written (section 4.10), and records in the form of its API.
 */
import { CONTACT_FIELDS } from '../../../../kernel/contact-fields.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../kernel/json.js';
import { MAX_CONTACT_TAGS } from '../../../contacts/domain/read-contact.js';
import type { NestedFields } from '../source-record.js';
import type { MappingTarget } from '../import-job.js';
import { STANDARD_FIELDS } from '../import-job.js';
import type { FileFormatInfo } from './import-file.js';
import { storableJson } from './json-record.js';

/** Fields that every record of an export has, and that are never empty. */
const ALWAYS_FILLED = ['id', 'external_id', 'subscription_status', 'created_at', 'updated_at'];
/** Fields of an export that belong to the exported contact and must not be imported. */
const NOT_IMPORTED = ['id', 'created_at', 'updated_at'];
const OWN_NAMES: ReadonlySet<string> = new Set([...NOT_IMPORTED, 'properties', 'tags']);

export const OWN_FIELDS: Readonly<Record<string, MappingTarget>> = Object.fromEntries(
  (['external_id', ...STANDARD_FIELDS] as const).map((name) => [name, name]),
);

/** Whether a file is an export of contacts. A CSV may have additional columns; JSON leaves out what is empty. */
export function isOwnExport({ format, columns }: Pick<FileFormatInfo, 'format' | 'columns'>): boolean {
  const required = format === 'csv' ? CONTACT_FIELDS : ALWAYS_FILLED;
  const isKnown = format === 'csv' || columns.every((name) => CONTACT_FIELDS.includes(name));
  return isKnown && required.every((name) => columns.includes(name));
}

/**
 * Properties and tags of an export's record. A string result describes an invalid CSV cell that should contain them.
 */
export function ownNestedFields(fields: JsonObject): NestedFields | string {
  const properties = inCell(fields['properties'], {});
  const tags = inCell(fields['tags'], []);
  if (!isJsonObject(properties)) return 'The cell properties does not contain a JSON object.';
  if (!areTags(tags)) return 'The cell tags does not contain a JSON list of strings.';
  return { names: OWN_NAMES, properties: without(properties, (value) => value === null), tags };
}

/** Properties and tags of a JSON record in the form of the API; undefined if it has neither. */
export function contractNestedFields(fields: JsonObject): NestedFields | undefined {
  const { properties, tags } = fields;
  const names: string[] = [];
  if (isJsonObject(properties)) names.push('properties');
  if (areTags(tags)) names.push('tags');
  if (names.length === 0) return undefined;
  return {
    names: new Set(names),
    properties: isJsonObject(properties) ? without(properties, isEmpty) : {},
    tags: areTags(tags) ? tags : [],
  };
}

function inCell(value: unknown, none: object): unknown {
  return typeof value === 'string' ? storableJson(value) : (value ?? none);
}

function areTags(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length <= MAX_CONTACT_TAGS &&
    value.every((tag) => typeof tag === 'string' && tag !== '')
  );
}

function without(
  properties: JsonObject,
  isLeftOut: (value: unknown) => boolean,
): Readonly<Record<string, JsonValue>> {
  const remaining = Object.entries(properties).filter(([, value]) => !isLeftOut(value));
  return Object.fromEntries(remaining) as Readonly<Record<string, JsonValue>>;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
