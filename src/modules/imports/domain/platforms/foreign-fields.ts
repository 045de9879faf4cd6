/** From a platform's JSON to the fields of a contact: what says nothing is left out, nothing is believed of a shape. */
import { ExactNumber } from '../../../../kernel/exact-number.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../kernel/json.js';
import { beginningOf } from '../../../../kernel/text-length.js';
import { graver } from '../opt-outs.js';
import type { ForeignContact, ForeignThing, OptOutReason, UnreadableRecord } from '../foreign-contact.js';
import { flawIn } from '../sound-part.js';

/** Characters of a field's name. */
const LONGEST_NAME = 255;
/** Characters of the number that tells names apart which are cut. */
const LONGEST_NUMBER = 8;
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
 * counts; a name that poisons prototypes is none, and one that is too long is cut. How many there are is bound by what a
 * contact holds: one with more is an error, which is told.
 */
export function fieldsFrom(pairs: Iterable<FieldPair>): Readonly<Record<string, JsonValue>> {
  const fields = new Map<string, JsonValue>();
  const cut = nameCutter(fields);
  for (const [name, value] of pairs) {
    if (name === '' || name === '__proto__' || saysNothing(value)) continue;
    const own = name.length > LONGEST_NAME ? cut(name) : name;
    if (!fields.has(own)) fields.set(own, value as JsonValue);
  }
  return Object.fromEntries(fields);
}

/** Cuts names that are too long; one that begins as another does gets a number at its end. */
function nameCutter(taken: ReadonlyMap<string, JsonValue>): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    let cut = beginningOf(name, LONGEST_NAME);
    const stem = beginningOf(name, LONGEST_NAME - LONGEST_NUMBER);
    while (taken.has(cut)) {
      const count = (counts.get(stem) ?? 1) + 1;
      counts.set(stem, count);
      cut = `${stem}_${count}`;
    }
    return cut;
  };
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
  let worst: OptOutReason | null = null;
  for (const reason of reasons) worst = graver(worst, reason);
  return worst;
}

/**
 * Reads a record of which a part may be all that can be read: then it is none, and its refusal is heard.
 * @returns what `read` gives for a record that is whole.
 */
export function readSound<Item, Found extends ForeignContact | UnreadableRecord | null>(
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
  read: (item: unknown, row: number) => ForeignContact | UnreadableRecord,
): (ForeignContact | UnreadableRecord)[] {
  return items.map((item, index) => readSound(item, row + index, read));
}

/** @param heard what of it could be read. */
export function unreadable(
  row: number,
  externalId: string | null,
  detail: string,
  heard?: ForeignContact,
): UnreadableRecord {
  return { kind: 'unreadable', row, externalId, code: 'invalid_row', detail, heard };
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
