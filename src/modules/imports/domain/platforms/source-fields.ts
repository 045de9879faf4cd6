/**
 * Converts a platform's JSON to the fields of a contact. Empty values are left out, and no structure is taken for
 * granted.
 */
import { ExactNumber } from '../../../../kernel/exact-number.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../kernel/json.js';
import { truncate } from '../../../../kernel/text-length.js';
import { moreSevere } from '../opt-outs.js';
import type { SourceContact, SourceAsset, OptOutReason, UnreadableRecord } from '../source-record.js';
import { flawIn } from '../storable-part.js';

/** Maximum length of a field's name, in characters. */
const MAX_NAME_LENGTH = 255;
/** Maximum length of the number that distinguishes shortened names, in characters. */
const MAX_SUFFIX_LENGTH = 8;
/** Maximum length of an asset's name, in characters. */
const MAX_ASSET_NAME_LENGTH = 255;

export type FieldPair = readonly [name: string, value: unknown];

/** The value if it is an object; otherwise an empty object. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value if it is a list; otherwise an empty list. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The value if it is a non-empty string; numbers are converted. Null for anything else. */
export function textIn(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The value if it is a non-negative integer; null for anything else. */
export function countIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/**
 * Fields by name, in order. Leaves out null, empty strings, lists and objects. If a name occurs twice, the first one
 * counts. Names that pollute prototypes are left out, and long ones are shortened. The number of fields is not
 * limited here: a contact with too many becomes an error, which is reported.
 */
export function fieldsFrom(pairs: Iterable<FieldPair>): Readonly<Record<string, JsonValue>> {
  const fields = new Map<string, JsonValue>();
  const shorten = nameCutter(fields);
  for (const [name, value] of pairs) {
    if (name === '' || name === '__proto__' || isEmptyValue(value)) continue;
    const shortened = name.length > MAX_NAME_LENGTH ? shorten(name) : name;
    if (!fields.has(shortened)) fields.set(shortened, value as JsonValue);
  }
  return Object.fromEntries(fields);
}

/** Shortens long names. If the result is already taken, it ends with a number. */
function nameCutter(taken: ReadonlyMap<string, JsonValue>): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    let cut = truncate(name, MAX_NAME_LENGTH);
    const stem = truncate(name, MAX_NAME_LENGTH - MAX_SUFFIX_LENGTH);
    while (taken.has(cut)) {
      const count = (counts.get(stem) ?? 1) + 1;
      counts.set(stem, count);
      cut = `${stem}_${count}`;
    }
    return cut;
  };
}

function isEmptyValue(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** A platform's own attributes, except those that are read in another way. */
export function* ownFields(attributes: JsonObject, handled: ReadonlySet<string>): Iterable<FieldPair> {
  for (const pair of Object.entries(attributes)) if (!handled.has(pair[0])) yield pair;
}

/**
 * Fields that an account has added, under its own names. A name that the platform itself uses is prefixed by its
 * origin, such as `properties.email`.
 */
export function* addedFields(
  added: unknown,
  origin: string,
  isTaken: (name: string) => boolean,
): Iterable<FieldPair> {
  for (const [name, value] of Object.entries(objectIn(added)))
    yield [isTaken(name) ? `${origin}.${name}` : name, value];
}

/** A language tag in the notation of locales: `pt_PT` becomes pt-PT. */
export function localeIn(value: unknown): string | null {
  return textIn(value)?.replaceAll('_', '-') ?? null;
}

/** The most severe of an address's opt-outs; null for none. */
export function mostSevere(reasons: Iterable<OptOutReason>): OptOutReason | null {
  let worst: OptOutReason | null = null;
  for (const reason of reasons) worst = moreSevere(worst, reason);
  return worst;
}

/**
 * Reads an item. If only a part of it is valid, the record is unreadable, but an opt-out in it is respected.
 * @returns the result of `read` for a complete record.
 */
export function readStorable<Item, Found extends SourceContact | UnreadableRecord | null>(
  item: Item,
  row: number,
  read: (item: Item, row: number) => Found,
): Found | UnreadableRecord {
  const record = read(item, row);
  const flaw = flawIn(item);
  if (flaw === undefined || record?.kind !== 'contact') return record;
  return unreadable(row, record.externalId, `The record ${flaw}.`, record);
}

/** Records with their numbers, from `row` on. */
export function recordsFrom(
  items: readonly unknown[],
  row: number,
  read: (item: unknown, row: number) => SourceContact | UnreadableRecord,
): (SourceContact | UnreadableRecord)[] {
  return items.map((item, index) => readStorable(item, row + index, read));
}

/** @param readablePart the part of it that could be read. */
export function unreadable(
  row: number,
  externalId: string | null,
  detail: string,
  readablePart?: SourceContact,
): UnreadableRecord {
  return { kind: 'unreadable', row, externalId, code: 'invalid_row', detail, readablePart };
}

/** Assets with names, up to the limit per kind. Leaves out those without a name. */
export function assetsFrom(
  kind: SourceAsset['kind'],
  items: readonly unknown[],
  read: (item: JsonObject) => { readonly name: unknown; readonly detail?: unknown },
): SourceAsset[] {
  return items.flatMap((item) => {
    const { name, detail } = read(objectIn(item));
    const text = textIn(name);
    if (text === null) return [];
    return [
      {
        kind,
        name: text.slice(0, MAX_ASSET_NAME_LENGTH),
        detail: textIn(detail)?.slice(0, MAX_ASSET_NAME_LENGTH) ?? null,
      },
    ];
  });
}
