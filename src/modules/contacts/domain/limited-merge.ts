/**
 * Applies changes to a contact, from any source: requests, bulk, events, steps, seeds. Many small changes must not
 * let a contact grow without bound (section 2.11), so a change that would exceed the size limits is left out; later
 * ones still apply. The contact is built once for any number of changes.
 */
import type { FieldError } from '../../../kernel/domain-error.js';
import { exceededLimit, type ContactSize, bytesOf, ContactSizeTracker, limitError } from './contact-size.js';
import { STANDARD_FIELDS, type Contact, type ContactChanges } from './contact.js';
import { mergeContact, replaceContact, type MergedContact } from './merge-contact.js';

/** Whether changes are merged into the known data or replace it. */
export type MergeMode = 'merge' | 'replace';

export interface LimitedMerge extends MergedContact {
  /** Changes that were left out, by their index in the list. */
  readonly rejected: ReadonlyMap<number, FieldError>;
}

const NO_REJECTIONS: ReadonlyMap<number, FieldError> = new Map();

/**
 * The contact after all changes, in order, that keep it within its size limits, and the fields that differ. If
 * nothing differs, it is the same object.
 */
export function mergeWithinLimits(
  contact: Contact,
  changes: readonly ContactChanges[],
  now: Date,
  mergeMode: MergeMode = 'merge',
): LimitedMerge {
  if (mergeMode === 'replace') return replaceWithinLimits(contact, changes, now);
  const hasTagChanges = changes.length > 1 && changes.some(concernsTags);
  if (!hasTagChanges) {
    // If all changes together fit, each fits; this is the usual case.
    const all = mergeAll(contact, changes, undefined, now);
    if (!exceededBy(contact, all)) return limitedMerge(all, NO_REJECTIONS);
  }
  const size = new ContactSizeTracker(contact);
  const { fitting, rejected } = filterFitting(changes, (change) => size.merge(change));
  return limitedMerge(mergeAll(contact, fitting, size.tags, now), rejected);
}

/** Members are listed: a spread followed by members takes fifty times as long. */
function limitedMerge(
  { contact, updatedFields }: MergedContact,
  rejected: LimitedMerge['rejected'],
): LimitedMerge {
  return { contact, updatedFields, rejected };
}

/** Each change replaces all data, so only the last one counts. */
function replaceWithinLimits(contact: Contact, changes: readonly ContactChanges[], now: Date): LimitedMerge {
  const size = new ContactSizeTracker(contact);
  const { fitting, rejected } = filterFitting(changes, (change) => size.replace(change));
  const last = fitting.at(-1);
  return limitedMerge(last ? replaceContact(contact, last, now) : { contact, updatedFields: [] }, rejected);
}

function filterFitting(
  changes: readonly ContactChanges[],
  merge: (change: ContactChanges) => FieldError | undefined,
): { readonly fitting: readonly ContactChanges[]; readonly rejected: ReadonlyMap<number, FieldError> } {
  const rejected = new Map<number, FieldError>();
  const fitting = changes.filter((change, index) => {
    const error = merge(change);
    if (error) rejected.set(index, error);
    return !error;
  });
  return { fitting, rejected };
}

/**
 * @param tags the tags after all changes; not needed for one change or none.
 */
function mergeAll(
  contact: Contact,
  changes: readonly ContactChanges[],
  tags: readonly string[] | undefined,
  now: Date,
): MergedContact {
  const [first] = changes;
  if (!first) return { contact, updatedFields: [] };
  if (changes.length === 1) return mergeContact(contact, first, now);
  const all = combined(changes);
  if (tags !== undefined && changes.some(concernsTags)) all.tags = tags;
  return mergeContact(contact, all, now);
}

/** Combines changes into one with the same effect on fields and properties; tags are left out. */
function combined(changes: readonly ContactChanges[]): Mutable<ContactChanges> {
  const properties = new Map<string, unknown>();
  for (const change of changes)
    if (change.properties)
      for (const [key, value] of Object.entries(change.properties)) properties.set(key, value);
  const fields: Mutable<ContactChanges> = {};
  for (const change of changes)
    for (const field of STANDARD_FIELDS) if (change[field] !== undefined) fields[field] = change[field];
  if (properties.size > 0) fields.properties = Object.fromEntries(properties);
  return fields;
}

type Mutable<Changes> = { -readonly [Member in keyof Changes]: Changes[Member] };

function concernsTags({ tags, addTags, removeTags }: ContactChanges): boolean {
  return tags !== undefined || addTags !== undefined || removeTags !== undefined;
}

function exceededBy(before: Contact, { contact, updatedFields }: MergedContact): FieldError | undefined {
  if (!updatedFields.some((field) => field === 'properties' || field === 'tags')) return undefined;
  const size = sizeOf(contact);
  return exceededLimit(size) && limitError(sizeOf(before), size);
}

function sizeOf({ tags, properties }: Contact): ContactSize {
  return { tags: tags.length, bytes: bytesOf(properties) };
}
