/** How new data about a contact is joined to what is known, section 2.11. */
import { sameJson, type JsonObject } from '../../../kernel/json.js';
import { STANDARD_FIELDS, type Contact, type ContactChanges } from './contact.js';

export interface MergedContact {
  readonly contact: Contact;
  /** Names of the fields whose value is another now; empty when nothing changed. */
  readonly updatedFields: readonly string[];
}

/**
 * Joins changes to a contact: standard fields are set, properties merged one level deep with null removing, tags
 * replaced, added and removed, in this order. A deleted contact comes back as subscribed. `updatedAt` moves only when
 * something changed.
 */
export function mergeContact(contact: Contact, changes: ContactChanges, now: Date): MergedContact {
  return withUpdates(
    contact,
    {
      ...changes,
      properties: changes.properties && mergeProperties(contact.properties, changes.properties),
      tags: mergeTags(contact.tags, changes),
    },
    now,
  );
}

/** As `mergeContact`, but what the changes do not name is cleared: the contact is what they say, and nothing else. */
export function replaceContact(contact: Contact, changes: ContactChanges, now: Date): MergedContact {
  const cleared = Object.fromEntries(STANDARD_FIELDS.map((field) => [field, null]));
  return withUpdates(
    contact,
    {
      ...cleared,
      ...changes,
      properties: mergeProperties({}, changes.properties ?? {}),
      tags: mergeTags([], changes),
    },
    now,
  );
}

type Wanted = Pick<ContactChanges, (typeof STANDARD_FIELDS)[number]> & {
  readonly properties: JsonObject | undefined;
  readonly tags: readonly string[];
};

function withUpdates(contact: Contact, wanted: Wanted, now: Date): MergedContact {
  const updated: Record<string, unknown> = {};
  for (const field of STANDARD_FIELDS) {
    const value = wanted[field];
    if (value !== undefined && value !== contact[field]) updated[field] = value;
  }
  if (wanted.properties && !sameJson(wanted.properties, contact.properties))
    updated['properties'] = wanted.properties;
  if (!sameJson(wanted.tags, contact.tags)) updated['tags'] = wanted.tags;
  if (contact.subscriptionStatus === 'deleted') updated['subscriptionStatus'] = 'subscribed';

  const updatedFields = Object.keys(updated);
  if (updatedFields.length === 0) return { contact, updatedFields };
  // One spread, which copies the record's shape, and then member by member: anything else takes many times as long.
  const merged: Record<string, unknown> & Contact = { ...contact, updatedAt: now };
  for (const field of updatedFields) merged[field] = updated[field];
  return { contact: merged, updatedFields };
}

/** The list, or what replaces it, with tags added at its end and others removed; each tag once. */
export function mergeTags(
  own: readonly string[],
  { tags, addTags: added = [], removeTags: removed = [] }: ContactChanges,
): readonly string[] {
  if (!tags && added.length === 0 && removed.length === 0) return own;
  const merged = new Set([...(tags ?? own), ...added]);
  for (const tag of removed) merged.delete(tag);
  return [...merged];
}

/** Shallow merge: each key replaces, null removes, keys that are not named stay. */
export function mergeProperties(properties: JsonObject, changes: JsonObject): JsonObject {
  const merged = new Map(Object.entries(properties));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}
