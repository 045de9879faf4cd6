/**
 * Applies changes to a contact, from any source: requests, bulk, events, steps, seeds. Many small changes must not
 * let a contact grow without bound (section 2.11), so a change that would exceed the size limits is left out; later
 * ones still apply. The contact is built once for any number of changes.
 */
import type { FieldError } from '../../../kernel/domain-error.js';
import { outgrown, type Size } from './contact-bounds.js';
import { bytesOf, GrowingSize, refusal } from './contact-size.js';
import { STANDARD_FIELDS, type Contact, type ContactChanges } from './contact.js';
import { mergeContact, replaceContact, type MergedContact } from './merge-contact.js';

/** Whether changes are merged into the known data or replace it. */
export type Joining = 'merge' | 'replace';

export interface GrownContact extends MergedContact {
  /** Changes that were left out, by their index in the list. */
  readonly refused: ReadonlyMap<number, FieldError>;
}

const NOTHING: ReadonlyMap<number, FieldError> = new Map();

/**
 * The contact after all changes, in order, that keep it within its size limits, and the fields that differ. If
 * nothing differs, it is the same object.
 */
export function growContact(
  contact: Contact,
  changes: readonly ContactChanges[],
  now: Date,
  joining: Joining = 'merge',
): GrownContact {
  if (joining === 'replace') return replaced(contact, changes, now);
  const isTagged = changes.length > 1 && changes.some(concernsTags);
  if (!isTagged) {
    // If all changes together fit, each fits; this is the usual case.
    const all = merged(contact, changes, undefined, now);
    if (!outgrowth(contact, all)) return grown(all, NOTHING);
  }
  const size = new GrowingSize(contact);
  const { fitting, refused } = fit(changes, (change) => size.merge(change));
  return grown(merged(contact, fitting, size.tags, now), refused);
}

/** Members are listed: a spread followed by members takes fifty times as long. */
function grown({ contact, updatedFields }: MergedContact, refused: GrownContact['refused']): GrownContact {
  return { contact, updatedFields, refused };
}

/** Each change replaces all data, so only the last one counts. */
function replaced(contact: Contact, changes: readonly ContactChanges[], now: Date): GrownContact {
  const size = new GrowingSize(contact);
  const { fitting, refused } = fit(changes, (change) => size.replace(change));
  const last = fitting.at(-1);
  return grown(last ? replaceContact(contact, last, now) : { contact, updatedFields: [] }, refused);
}

function fit(
  changes: readonly ContactChanges[],
  join: (change: ContactChanges) => FieldError | undefined,
): { readonly fitting: readonly ContactChanges[]; readonly refused: ReadonlyMap<number, FieldError> } {
  const refused = new Map<number, FieldError>();
  const fitting = changes.filter((change, place) => {
    const error = join(change);
    if (error) refused.set(place, error);
    return !error;
  });
  return { fitting, refused };
}

/**
 * @param tags the tags after all changes; not needed for one change or none.
 */
function merged(
  contact: Contact,
  changes: readonly ContactChanges[],
  tags: readonly string[] | undefined,
  now: Date,
): MergedContact {
  const [first] = changes;
  if (!first) return { contact, updatedFields: [] };
  if (changes.length === 1) return mergeContact(contact, first, now);
  const all = joined(changes);
  if (tags !== undefined && changes.some(concernsTags)) all.tags = tags;
  return mergeContact(contact, all, now);
}

/** Combines changes into one with the same effect on fields and properties; tags are left out. */
function joined(changes: readonly ContactChanges[]): Growing<ContactChanges> {
  const properties = new Map<string, unknown>();
  for (const change of changes)
    if (change.properties)
      for (const [key, value] of Object.entries(change.properties)) properties.set(key, value);
  const fields: Growing<ContactChanges> = {};
  for (const change of changes)
    for (const field of STANDARD_FIELDS) if (change[field] !== undefined) fields[field] = change[field];
  if (properties.size > 0) fields.properties = Object.fromEntries(properties);
  return fields;
}

type Growing<Changes> = { -readonly [Member in keyof Changes]: Changes[Member] };

function concernsTags({ tags, addTags, removeTags }: ContactChanges): boolean {
  return tags !== undefined || addTags !== undefined || removeTags !== undefined;
}

function outgrowth(before: Contact, { contact, updatedFields }: MergedContact): FieldError | undefined {
  if (!updatedFields.some((field) => field === 'properties' || field === 'tags')) return undefined;
  const size = sizeOf(contact);
  return outgrown(size) && refusal(sizeOf(before), size);
}

function sizeOf({ tags, properties }: Contact): Size {
  return { tags: tags.length, bytes: bytesOf(properties) };
}
