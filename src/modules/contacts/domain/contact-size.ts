/**
 * Tracks the size of a contact while changes are merged into it, from the members that the changes name. Measuring a
 * large contact again for each of many changes would take quadratic time.
 */
import type { FieldError } from '../../../kernel/domain-error.js';
import { jsonText } from '../../../kernel/json-text.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { Contact, ContactChanges } from './contact.js';
import { mergeTags } from './merge-contact.js';

/** Size limits of a contact, section 2.11; bytes of JSON. */
export const MAX_MERGED_PROPERTIES_BYTES = 262_144;
export const MAX_MERGED_TAGS = 1_000;

export interface ContactSize {
  readonly tags: number;
  /** Of the properties as JSON. */
  readonly bytes: number;
}

/** The limit that this size exceeds; undefined if it is within the limits. */
export function exceededLimit({ tags, bytes }: ContactSize): FieldError | undefined {
  if (tags > MAX_MERGED_TAGS)
    return { field: 'tags', message: `would give the contact more than ${MAX_MERGED_TAGS} tags` };
  if (bytes <= MAX_MERGED_PROPERTIES_BYTES) return undefined;
  return {
    field: 'properties',
    message: `would make the contact's properties larger than ${MAX_MERGED_PROPERTIES_BYTES} bytes of JSON (256 KB)`,
  };
}

export class ContactSizeTracker {
  /** Sizes of the members that changes have named; a member of the contact is measured when first named. */
  private readonly members = new Map<string, number>();
  private currentTags: Set<string>;
  /** Bytes of the properties; undefined until first needed. */
  private bytes: number | undefined;

  constructor(private readonly contact: Pick<Contact, 'properties' | 'tags'>) {
    this.currentTags = new Set(contact.tags);
  }

  /** The tags, after all changes that were merged. */
  get tags(): readonly string[] {
    return [...this.currentTags];
  }

  /** Merges a change, or returns the limit that the contact would exceed. */
  merge(change: ContactChanges): FieldError | undefined {
    const properties = change.properties && sizesOf(change.properties);
    const tags = this.tagsAfter(change);
    let bytes = this.currentSize().bytes;
    for (const [key, size] of properties ?? []) bytes += size - this.memberSize(key);
    const error = limitError(this.currentSize(), { tags: tags.count, bytes });
    if (error) return error;
    this.bytes = bytes;
    for (const [key, size] of properties ?? []) this.members.set(key, size);
    tags.apply();
    return undefined;
  }

  /** Like `merge`, for a change that replaces all data. */
  replace(change: ContactChanges): FieldError | undefined {
    let bytes = 1;
    for (const size of sizesOf(change.properties ?? {}).values()) bytes += size;
    const tags = new Set(mergeTags([], change));
    const after = { tags: tags.size, bytes };
    // A change that fits by itself is accepted; only otherwise is the contact measured.
    const error = exceededLimit(after) && limitError(this.currentSize(), after);
    if (error) return error;
    this.bytes = bytes;
    this.currentTags = tags;
    return undefined;
  }

  private currentSize(): ContactSize {
    this.bytes ??= bytesOf(this.contact.properties);
    return { tags: this.currentTags.size, bytes: this.bytes };
  }

  private memberSize(key: string): number {
    const known = this.members.get(key);
    if (known !== undefined) return known;
    const { properties } = this.contact;
    return Object.hasOwn(properties, key) ? memberBytes(key, properties[key]) : 0;
  }

  /** The number of tags after the change, and a function that applies them. */
  private tagsAfter(change: ContactChanges): { readonly count: number; readonly apply: () => void } {
    if (change.tags) {
      const tags = new Set(mergeTags([], change));
      return { count: tags.size, apply: () => void (this.currentTags = tags) };
    }
    const removed = new Set(change.removeTags);
    const newTags = new Set(change.addTags?.filter((tag) => !this.currentTags.has(tag) && !removed.has(tag)));
    const removedTags = [...removed].filter((tag) => this.currentTags.has(tag));
    const apply = (): void => {
      for (const tag of newTags) this.currentTags.add(tag);
      for (const tag of removedTags) this.currentTags.delete(tag);
    };
    return { count: this.currentTags.size + newTags.size - removedTags.length, apply };
  }
}

/** The limit that a contact would exceed; one that already exceeds it may become smaller. */
export function limitError(before: ContactSize, after: ContactSize): FieldError | undefined {
  const error = exceededLimit(after);
  const isSmaller = after.tags <= before.tags && after.bytes <= before.bytes;
  return error && isSmaller && exceededLimit(before)?.field === error.field ? undefined : error;
}

/** Bytes of properties as JSON; one brace is not counted, so that sizes of members can be added. */
export function bytesOf(properties: JsonObject): number {
  const json = jsonText(properties);
  return json === '{}' ? 1 : Buffer.byteLength(json);
}

/** Cached for the lifetime of the object: the properties of a step are the same for all trips. */
const sizeCache = new WeakMap<JsonObject, ReadonlyMap<string, number>>();

/** Bytes of each member that a change names, after the change; 0 for a member that it removes. */
function sizesOf(properties: JsonObject): ReadonlyMap<string, number> {
  let sizes = sizeCache.get(properties);
  if (!sizes) {
    sizes = new Map(
      Object.entries(properties).map(([key, value]) => [key, value === null ? 0 : memberBytes(key, value)]),
    );
    sizeCache.set(properties, sizes);
  }
  return sizes;
}

/** Bytes of a member's JSON with a comma. */
function memberBytes(key: string, value: unknown): number {
  return Buffer.byteLength(jsonText({ [key]: value })) - 1;
}
