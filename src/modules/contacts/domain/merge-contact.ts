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
 * replaced. A deleted contact comes back as subscribed. `updated_at` moves only when something changed.
 */
export function mergeContact(contact: Contact, changes: ContactChanges, now: Date): MergedContact {
  const updated: Record<string, unknown> = {};
  for (const field of STANDARD_FIELDS) {
    const value = changes[field];
    if (value !== undefined && value !== contact[field]) updated[field] = value;
  }
  if (changes.properties) {
    const properties = mergeProperties(contact.properties, changes.properties);
    if (!sameJson(properties, contact.properties)) updated['properties'] = properties;
  }
  if (changes.tags && !sameJson(changes.tags, contact.tags)) updated['tags'] = [...changes.tags];
  if (contact.subscription_status === 'deleted') updated['subscription_status'] = 'subscribed';

  const updatedFields = Object.keys(updated);
  if (updatedFields.length === 0) return { contact, updatedFields };
  return { contact: { ...contact, ...updated, updated_at: now }, updatedFields };
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
