/**
 * Tracks the size of a contact while changes are merged into it, from the members that the changes name. Measuring a
 * large contact again for each of many changes would take quadratic time.
 */
import type { FieldError } from '../../../kernel/domain-error.js';
import { jsonText } from '../../../kernel/json-text.js';
import type { JsonObject } from '../../../kernel/json.js';
import { outgrown, type Size } from './contact-bounds.js';
import type { Contact, ContactChanges } from './contact.js';
import { mergeTags } from './merge-contact.js';

export class GrowingSize {
  /** Sizes of the members that changes have named; a member of the contact is measured when first named. */
  private readonly members = new Map<string, number>();
  private held: Set<string>;
  /** Bytes of the properties; undefined until first needed. */
  private bytes: number | undefined;

  constructor(private readonly contact: Pick<Contact, 'properties' | 'tags'>) {
    this.held = new Set(contact.tags);
  }

  /** The tags, after all changes that were merged. */
  get tags(): readonly string[] {
    return [...this.held];
  }

  /** Merges a change, or returns the limit that the contact would exceed. */
  merge(change: ContactChanges): FieldError | undefined {
    const properties = change.properties && sizesOf(change.properties);
    const tags = this.tagsAfter(change);
    let bytes = this.before().bytes;
    for (const [key, size] of properties ?? []) bytes += size - this.memberOf(key);
    const error = refusal(this.before(), { tags: tags.count, bytes });
    if (error) return error;
    this.bytes = bytes;
    for (const [key, size] of properties ?? []) this.members.set(key, size);
    tags.take();
    return undefined;
  }

  /** Like `merge`, for a change that replaces all data. */
  replace(change: ContactChanges): FieldError | undefined {
    let bytes = 1;
    for (const size of sizesOf(change.properties ?? {}).values()) bytes += size;
    const tags = new Set(mergeTags([], change));
    const after = { tags: tags.size, bytes };
    // A change that fits by itself is accepted; only otherwise is the contact measured.
    const error = outgrown(after) && refusal(this.before(), after);
    if (error) return error;
    this.bytes = bytes;
    this.held = tags;
    return undefined;
  }

  private before(): Size {
    this.bytes ??= bytesOf(this.contact.properties);
    return { tags: this.held.size, bytes: this.bytes };
  }

  private memberOf(key: string): number {
    const known = this.members.get(key);
    if (known !== undefined) return known;
    const { properties } = this.contact;
    return Object.hasOwn(properties, key) ? memberBytes(key, properties[key]) : 0;
  }

  /** The number of tags after the change, and a function that applies them. */
  private tagsAfter(change: ContactChanges): { readonly count: number; readonly take: () => void } {
    if (change.tags) {
      const tags = new Set(mergeTags([], change));
      return { count: tags.size, take: () => void (this.held = tags) };
    }
    const removed = new Set(change.removeTags);
    const come = new Set(change.addTags?.filter((tag) => !this.held.has(tag) && !removed.has(tag)));
    const gone = [...removed].filter((tag) => this.held.has(tag));
    const take = (): void => {
      for (const tag of come) this.held.add(tag);
      for (const tag of gone) this.held.delete(tag);
    };
    return { count: this.held.size + come.size - gone.length, take };
  }
}

/** The limit that a contact would exceed; one that already exceeds it may become smaller. */
export function refusal(before: Size, after: Size): FieldError | undefined {
  const error = outgrown(after);
  const isSmaller = after.tags <= before.tags && after.bytes <= before.bytes;
  return error && isSmaller && outgrown(before)?.field === error.field ? undefined : error;
}

/** Bytes of properties as JSON; one brace is not counted, so that sizes of members can be added. */
export function bytesOf(properties: JsonObject): number {
  const json = jsonText(properties);
  return json === '{}' ? 1 : Buffer.byteLength(json);
}

/** Cached for the lifetime of the object: the properties of a step are the same for all trips. */
const measured = new WeakMap<JsonObject, ReadonlyMap<string, number>>();

/** Bytes of each member that a change names, after the change; 0 for a member that it removes. */
function sizesOf(properties: JsonObject): ReadonlyMap<string, number> {
  let sizes = measured.get(properties);
  if (!sizes) {
    sizes = new Map(
      Object.entries(properties).map(([key, value]) => [key, value === null ? 0 : memberBytes(key, value)]),
    );
    measured.set(properties, sizes);
  }
  return sizes;
}

/** Bytes of a member's JSON with a comma. */
function memberBytes(key: string, value: unknown): number {
  return Buffer.byteLength(jsonText({ [key]: value })) - 1;
}
