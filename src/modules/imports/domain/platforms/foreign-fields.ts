/** From a platform's JSON to the fields of a contact: what says nothing is left out, nothing is believed of a shape. */
import { ExactNumber } from '../../../../kernel/exact-number.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../kernel/json.js';
import type { ForeignContact, ForeignThing, OptOutReason, UnreadableRecord } from '../foreign-contact.js';

/** Fields of one contact. */
const MOST_FIELDS = 1_000;
/** Characters of a field's name. */
const LONGEST_NAME = 255;
/** Characters of a thing's name. */
const LONGEST_THING = 255;

export type FieldPair = readonly [name: string, value: unknown];

/** An object, or an empty one in the place of anything else. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** A list, or an empty one in the place of anything else. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** A text that is not empty; numbers are written out. Null for anything else. */
export function textIn(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A whole number from 0 on; null for anything else. */
export function countIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/**
 * Fields by their names, in their order. Null, empty texts, lists and objects say nothing; of two of a name the first
 * counts; a name that poisons prototypes is none.
 */
export function fieldsFrom(pairs: Iterable<FieldPair>): Readonly<Record<string, JsonValue>> {
  const fields = new Map<string, JsonValue>();
  for (const [name, value] of pairs) {
    if (fields.size >= MOST_FIELDS) break;
    if (name === '' || name === '__proto__' || name.length > LONGEST_NAME) continue;
    if (saysNothing(value) || fields.has(name)) continue;
    fields.set(name, value as JsonValue);
  }
  return Object.fromEntries(fields);
}

function saysNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** A platform's own attributes, without those that are read otherwise. */
export function* ownFields(attributes: JsonObject, readOtherwise: ReadonlySet<string>): Iterable<FieldPair> {
  for (const pair of Object.entries(attributes)) if (!readOtherwise.has(pair[0])) yield pair;
}

/**
 * What an account has added, under its own names; one that the platform itself uses is told apart by where it stood,
 * such as `properties.email`.
 */
export function* addedFields(
  added: unknown,
  place: string,
  isTaken: (name: string) => boolean,
): Iterable<FieldPair> {
  for (const [name, value] of Object.entries(objectIn(added)))
    yield [isTaken(name) ? `${place}.${name}` : name, value];
}

/** A language tag as locales are written: `pt_PT` is pt-PT. */
export function localeIn(value: unknown): string | null {
  return textIn(value)?.replaceAll('_', '-') ?? null;
}

/** The gravest of what an address has been through; null for none. */
export function gravest(reasons: Iterable<OptOutReason>): OptOutReason | null {
  const all = new Set(reasons);
  return GRAVEST_FIRST.find((reason) => all.has(reason)) ?? null;
}

const GRAVEST_FIRST: readonly OptOutReason[] = ['complained', 'bounced', 'unsubscribed'];

/** Records with their numbers, from `row` on. */
export function recordsFrom(
  items: readonly unknown[],
  row: number,
  read: (item: unknown, row: number) => ForeignContact | UnreadableRecord,
): (ForeignContact | UnreadableRecord)[] {
  return items.map((item, index) => read(item, row + index));
}

export function unreadable(row: number, externalId: string | null, detail: string): UnreadableRecord {
  return { kind: 'unreadable', row, externalId, code: 'invalid_row', detail };
}

/** Things with names, as many as may come of a kind; what has none is left out. */
export function thingsFrom(
  kind: ForeignThing['kind'],
  items: readonly unknown[],
  read: (item: JsonObject) => { readonly name: unknown; readonly detail?: unknown },
): ForeignThing[] {
  return items.flatMap((item) => {
    const { name, detail } = read(objectIn(item));
    const text = textIn(name);
    if (text === null) return [];
    return [
      { kind, name: text.slice(0, LONGEST_THING), detail: textIn(detail)?.slice(0, LONGEST_THING) ?? null },
    ];
  });
}
