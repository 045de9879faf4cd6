/** Merges new data into a contact, section 2.11. */
import { sameJson, type JsonObject } from '../../../kernel/json.js';
import { STANDARD_FIELDS, type Contact, type ContactChanges, type StandardField } from './contact.js';

export interface MergedContact {
  readonly contact: Contact;
  /** Names of the fields whose value changed; empty if none did. */
  readonly updatedFields: readonly string[];
}

/**
 * Merges changes into a contact: sets standard fields; merges properties one level deep, where null removes; then
 * replaces, adds and removes tags, in this order. A deleted contact is revived as subscribed. `updatedAt` moves only
 * if something changed.
 */
export function mergeContact(contact: Contact, changes: ContactChanges, now: Date): MergedContact {
  const properties = changes.properties && mergeProperties(contact.properties, changes.properties);
  return withUpdates(contact, changes, { properties, tags: mergeTags(contact.tags, changes) }, now);
}

/** Like `mergeContact`, but clears what the changes do not name. */
export function replaceContact(contact: Contact, changes: ContactChanges, now: Date): MergedContact {
  const fields: { [Field in StandardField]?: string | null } = {};
  for (const field of STANDARD_FIELDS) fields[field] = changes[field] ?? null;
  const properties = mergeProperties({}, changes.properties ?? {});
  return withUpdates(contact, fields, { properties, tags: mergeTags([], changes) }, now);
}

type Fields = Pick<ContactChanges, StandardField>;

interface MergedCollections {
  readonly properties: JsonObject | undefined;
  readonly tags: readonly string[];
}

/** Members are listed: building a contact by spreading or assigning takes many times as long. */
function withUpdates(
  contact: Contact,
  fields: Fields,
  collections: MergedCollections,
  now: Date,
): MergedContact {
  const updatedFields: string[] = [];
  for (const field of STANDARD_FIELDS)
    if (fields[field] !== undefined && fields[field] !== contact[field]) updatedFields.push(field);
  const { properties = contact.properties, tags } = collections;
  if (properties !== contact.properties && !sameJson(properties, contact.properties))
    updatedFields.push('properties');
  if (tags !== contact.tags && !sameJson(tags, contact.tags)) updatedFields.push('tags');
  const { subscriptionStatus } = contact;
  if (subscriptionStatus === 'deleted') updatedFields.push('subscriptionStatus');
  if (updatedFields.length === 0) return { contact, updatedFields };
  const of = (field: StandardField): string | null => {
    const value = fields[field];
    return value === undefined ? contact[field] : value;
  };
  return {
    contact: {
      id: contact.id,
      externalId: contact.externalId,
      email: of('email'),
      phone: of('phone'),
      firstName: of('firstName'),
      lastName: of('lastName'),
      productType: of('productType'),
      subscriptionStatus: subscriptionStatus === 'deleted' ? 'subscribed' : subscriptionStatus,
      timezone: of('timezone'),
      locale: of('locale'),
      properties,
      tags,
      createdAt: contact.createdAt,
      updatedAt: now,
    },
    updatedFields,
  };
}

/** The tags, or those that replace them, with tags added at the end and others removed; distinct. */
export function mergeTags(
  current: readonly string[],
  { tags, addTags: added = [], removeTags: removed = [] }: ContactChanges,
): readonly string[] {
  if (!tags && added.length === 0 && removed.length === 0) return current;
  const merged = new Set([...(tags ?? current), ...added]);
  for (const tag of removed) merged.delete(tag);
  return [...merged];
}

/** Shallow merge: each key replaces, null removes, other keys stay. */
export function mergeProperties(properties: JsonObject, changes: JsonObject): JsonObject {
  const merged = new Map(Object.entries(properties));
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}
