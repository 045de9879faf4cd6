/**
 * The one way in which changes come to a contact, wherever they are from: requests, bulk, events, steps, seeds. Each
 * may be small, and their sum must not be without end (section 2.11): a change that would make the contact outgrow its
 * bounds is left out, and those behind it are not.
 */
import type { FieldError } from '../../../kernel/domain-error.js';
import { jsonText } from '../../../kernel/json-text.js';
import type { JsonObject } from '../../../kernel/json.js';
import { LARGEST_MERGED_PROPERTIES, outgrown, outgrownProperties } from './contact-bounds.js';
import type { Contact, ContactChanges } from './contact.js';
import { mergeContact, type JoinContact, type MergedContact } from './merge-contact.js';

export interface GrownContact extends MergedContact {
  /** Changes that were left out, by their place in the list. */
  readonly refused: ReadonlyMap<number, FieldError>;
}

/**
 * The contact after all changes, in their order, that leave it within its bounds. It is the same contact where none
 * changes anything.
 * @param join how a change is joined to what is known; merging by default.
 */
export function growContact(
  contact: Contact,
  changes: readonly ContactChanges[],
  now: Date,
  join: JoinContact = mergeContact,
): GrownContact {
  if (join !== mergeContact || changes.length < 2 || changes.some(concernsTags))
    return oneByOne(contact, changes, now, join);
  // Merges of fields and properties may be joined to one, which costs as much as one.
  const all = mergeContact(contact, joined(changes), now);
  if (!refusalOf(contact, all)) return { ...all, refused: NOTHING };
  const { fitting, refused } = fit(contact.properties, changes);
  return { ...mergeContact(contact, joined(fitting), now), refused };
}

const NOTHING: ReadonlyMap<number, FieldError> = new Map();

function concernsTags({ tags, addTags, removeTags }: ContactChanges): boolean {
  return tags !== undefined || addTags !== undefined || removeTags !== undefined;
}

function oneByOne(
  before: Contact,
  changes: readonly ContactChanges[],
  now: Date,
  join: JoinContact,
): GrownContact {
  const updatedFields = new Set<string>();
  const refused = new Map<number, FieldError>();
  let contact = before;
  changes.forEach((change, place) => {
    const merged = join(contact, change, now);
    const error = refusalOf(contact, merged);
    if (error) {
      refused.set(place, error);
      return;
    }
    contact = merged.contact;
    for (const field of merged.updatedFields) updatedFields.add(field);
  });
  return { contact, updatedFields: [...updatedFields], refused };
}

function refusalOf(before: Contact, { contact, updatedFields }: MergedContact): FieldError | undefined {
  if (!updatedFields.some((field) => field === 'properties' || field === 'tags')) return undefined;
  const error = outgrown(contact);
  // One that is too large already may become smaller.
  return error && outgrown(before)?.field === error.field && isSmaller(contact, before) ? undefined : error;
}

function isSmaller(contact: Contact, before: Contact): boolean {
  const bytes = ({ properties }: Contact): number => Buffer.byteLength(jsonText(properties));
  return contact.tags.length <= before.tags.length && bytes(contact) <= bytes(before);
}

/** Merges that do the same as all of these in turn. */
function joined(changes: readonly ContactChanges[]): ContactChanges {
  const properties = new Map<string, unknown>();
  for (const change of changes)
    for (const [key, value] of Object.entries(change.properties ?? {})) properties.set(key, value);
  const fields: ContactChanges = {};
  for (const change of changes) Object.assign(fields, change);
  return properties.size > 0 ? { ...fields, properties: Object.fromEntries(properties) } : fields;
}

/** Those of the changes that fit, one behind the other; only what they name is measured, not the contact each time. */
function fit(
  properties: JsonObject,
  changes: readonly ContactChanges[],
): { fitting: ContactChanges[]; refused: Map<number, FieldError> } {
  const sizes = new Map(sizesOf(properties));
  // Braces, less the comma that the last member has not.
  let total = 1 + [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const refused = new Map<number, FieldError>();
  const fitting = changes.filter((change, place) => {
    const named = sizesOf(change.properties ?? {});
    let after = total;
    for (const [key, size] of named) after += size - (sizes.get(key) ?? 0);
    if (after > LARGEST_MERGED_PROPERTIES && after > total) {
      refused.set(place, outgrownProperties());
      return false;
    }
    total = after;
    for (const [key, size] of named) sizes.set(key, size);
    return true;
  });
  return { fitting, refused };
}

/** Kept for as long as the object lives: a step's properties are the same for all trips that come by. */
const measured = new WeakMap<JsonObject, ReadonlyMap<string, number>>();

/** Bytes of each member's JSON with its comma; 0 of one that removes. */
function sizesOf(properties: JsonObject): ReadonlyMap<string, number> {
  let sizes = measured.get(properties);
  if (!sizes) {
    sizes = new Map(
      Object.entries(properties).map(([key, value]) => [
        key,
        value === null ? 0 : Buffer.byteLength(jsonText({ [key]: value })) - 1,
      ]),
    );
    measured.set(properties, sizes);
  }
  return sizes;
}
