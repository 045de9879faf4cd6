/**
 * Addresses that no mail goes to, whatever it says: mail to them came back for good, their owners called it spam, or a
 * person has said so. Kept by workspace and environment; each row keeps its own history.
 */
import { namesOfAddress } from '../../contacts/domain/refusal.js';

/** Why an address is on the list; the later in this list, the stronger. */
export const SUPPRESSION_REASONS = ['manual', 'hard_bounce', 'complaint'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export const SUPPRESSION_CHANGES = ['added', 'removed', 'erased'] as const;
export type SuppressionChangeKind = (typeof SUPPRESSION_CHANGES)[number];

/** One line of a row's history. */
export interface SuppressionChange {
  readonly kind: SuppressionChangeKind;
  readonly at: Date;
  /** A member's id, `api_key:` and a key's id, `operator` on the command line, or `provider` for what mail came to. */
  readonly by: string;
  /** Of what was added. */
  readonly reason: SuppressionReason | null;
  readonly note: string | null;
  /** The message that led to it. */
  readonly emailLogId: string | null;
}

/** How many changes a row remembers, the latest. */
export const LONGEST_HISTORY = 50;

export interface Suppression {
  readonly id: string;
  /** As it is compared; null once its person was erased. */
  readonly address: string | null;
  readonly reason: SuppressionReason;
  readonly since: Date;
  readonly by: string;
  readonly emailLogId: string | null;
  readonly note: string | null;
  /** When it was taken off the list; null while it is on it. */
  readonly removedAt: Date | null;
  readonly history: readonly SuppressionChange[];
}

/** What is to be put on the list. */
export interface NewSuppression {
  readonly email: string;
  readonly reason: SuppressionReason;
  /** When it came to be; what was taken off the list later than that stays off. */
  readonly since: Date;
  readonly by: string;
  readonly note: string | null;
  readonly emailLogId: string | null;
  /** Whose message led to it; null where it was none. */
  readonly contactId: string | null;
  /** The person was erased: the address is kept as a digest alone. */
  readonly isErased?: boolean;
}

/** Characters of a note. */
export const LONGEST_NOTE = 500;

/** One text for all spellings of an address, see contacts/domain/refusal; undefined where there is no address. */
export function addressKey(email: string): string | undefined {
  return namesOfAddress(email)[0]?.text;
}

/** The stronger of two reasons. */
export function strongerReason(one: SuppressionReason, other: SuppressionReason): SuppressionReason {
  return SUPPRESSION_REASONS.indexOf(one) >= SUPPRESSION_REASONS.indexOf(other) ? one : other;
}

/** One of each address, with its strongest reason; among equals the first. In the order of addresses, as rows are locked. */
export function strongestOfEach(items: readonly NewSuppression[]): ReadonlyMap<string, NewSuppression> {
  const strongest = new Map<string, NewSuppression>();
  for (const item of items) {
    const key = addressKey(item.email);
    if (key === undefined) continue;
    const known = strongest.get(key);
    if (!known || strongerReason(known.reason, item.reason) !== known.reason) strongest.set(key, item);
  }
  return new Map([...strongest].sort(([one], [other]) => (one < other ? -1 : 1)));
}
