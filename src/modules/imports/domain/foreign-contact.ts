/** A contact as a source has it, before it is mapped; and what of a source is no contact. */
import type { JsonValue } from '../../../kernel/json.js';
import { beginningOf } from '../../../kernel/text-length.js';
import { LONGEST_THING_TEXT, MOST_THINGS } from './work-bounds.js';

/** Why somebody may not be written to any more, where the source says it. */
export type OptOutReason = 'unsubscribed' | 'bounced' | 'complained';

/** One record of a source. */
export interface ForeignContact {
  readonly kind: 'contact';
  /** Of the records of the source, from 1. */
  readonly row: number;
  /** The source's own; null where it has none, and the email serves as one. */
  readonly externalId: string | null;
  /** By the source's names, in its order. */
  readonly fields: Readonly<Record<string, JsonValue>>;
  /** What the source says of email beyond its fields: null where it says nothing against. */
  readonly optOut: OptOutReason | null;
  /** What of its fields is no field of its own. */
  readonly apart?: FieldsApart | undefined;
}

/** Properties and tags that stand within fields, as in the contract. */
export interface FieldsApart {
  /** The fields that are no properties, unless a job maps them. */
  readonly names: ReadonlySet<string>;
  readonly properties: Readonly<Record<string, JsonValue>>;
  readonly tags: readonly string[];
}

/** A record that could not be read, or not all of it. */
export interface UnreadableRecord {
  readonly kind: 'unreadable';
  readonly row: number;
  readonly externalId: string | null;
  /** A stable code, such as `invalid_row`. */
  readonly code: string;
  readonly detail: string;
  /** What of it could be read: no contact, and heard where it says that somebody refuses mail. */
  readonly heard?: ForeignContact | undefined;
}

/** An address that the source does not write to, with or without a contact. */
export interface ForeignSuppression {
  readonly kind: 'suppression';
  readonly email: string;
  readonly reason: OptOutReason;
}

export type ForeignRecord = ForeignContact | UnreadableRecord | ForeignSuppression;

/** What else a platform has, by name. */
export interface ForeignThing {
  readonly kind: 'list' | 'segment' | 'tag' | 'template' | 'automation' | 'campaign';
  readonly name: string;
  readonly detail: string | null;
}

/** Things as they can be stored, as many as a job keeps: without NUL and halves of characters, and none without end. */
export function storableThings(things: readonly ForeignThing[]): ForeignThing[] {
  return things.slice(0, MOST_THINGS).map(({ kind, name, detail }) => ({
    kind,
    name: storable(name),
    detail: detail === null ? null : storable(detail),
  }));
}

function storable(text: string): string {
  return beginningOf(text.replaceAll('\0', '').toWellFormed(), LONGEST_THING_TEXT);
}
