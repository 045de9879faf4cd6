/**
 * How large a contact becomes while changes are joined to it, known from what they name: a contact may be large and its
 * changes many, so that measuring all of it each time would take their product.
 */
import type { FieldError } from '../../../kernel/domain-error.js';
import { jsonText } from '../../../kernel/json-text.js';
import type { JsonObject } from '../../../kernel/json.js';
import { outgrown, type Size } from './contact-bounds.js';
import type { Contact, ContactChanges } from './contact.js';
import { mergeTags } from './merge-contact.js';

export class GrowingSize {
  /** As far as changes have named them; those of the contact are measured when they are named first. */
  private readonly members = new Map<string, number>();
  private held: Set<string>;
  /** Bytes of the properties; undefined until somebody asks. */
  private bytes: number | undefined;

  constructor(private readonly contact: Pick<Contact, 'properties' | 'tags'>) {
    this.held = new Set(contact.tags);
  }

  /** The tags, after all changes that were merged. */
  get tags(): readonly string[] {
    return [...this.held];
  }

  /** Merges a change, or says what the contact would have too much of. */
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

  /** As `merge`, of a change that leaves nothing of what was before. */
  replace(change: ContactChanges): FieldError | undefined {
    let bytes = 1;
    for (const size of sizesOf(change.properties ?? {}).values()) bytes += size;
    const tags = new Set(mergeTags([], change));
    const after = { tags: tags.size, bytes };
    // What fits by itself fits; the contact is measured for one that does not.
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

  /** How many tags there would be, and how they come to be the contact's. */
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

/** What a contact would have too much of; one that is too large already may become smaller. */
export function refusal(before: Size, after: Size): FieldError | undefined {
  const error = outgrown(after);
  const isSmaller = after.tags <= before.tags && after.bytes <= before.bytes;
  return error && isSmaller && outgrown(before)?.field === error.field ? undefined : error;
}

/** Bytes of properties as JSON; of none as many as of one brace, so that members may be added up. */
export function bytesOf(properties: JsonObject): number {
  const json = jsonText(properties);
  return json === '{}' ? 1 : Buffer.byteLength(json);
}

/** Kept for as long as the object lives: a step's properties are the same for all trips that come by. */
const measured = new WeakMap<JsonObject, ReadonlyMap<string, number>>();

/** Bytes of the members that a change leaves of those that it names; 0 of one that it removes. */
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
