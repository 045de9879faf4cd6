/**
 * Addresses that get no mail of any type: mail to them bounced permanently, their owners complained, or a person
 * suppressed them. Stored by workspace and environment; each row has its own history.
 */
import { namesOfAddress } from '../../contacts/domain/opt-out.js';

/** Why an address is suppressed; later reasons in this list are stronger. */
export const SUPPRESSION_REASONS = ['manual', 'hard_bounce', 'complaint'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

export const SUPPRESSION_CHANGES = ['added', 'removed', 'erased'] as const;
export type SuppressionChangeKind = (typeof SUPPRESSION_CHANGES)[number];

/** One entry of a row's history. */
export interface SuppressionChange {
  readonly kind: SuppressionChangeKind;
  readonly at: Date;
  /**
   * A member's id, `api_key:` and a key's id, `operator` on the command line, or `provider` for bounces and
   * complaints.
   */
  readonly by: string;
  /** The reason that was added. */
  readonly reason: SuppressionReason | null;
  readonly note: string | null;
  /** The message that caused it. */
  readonly emailLogId: string | null;
}

/** Maximum number of changes in a row's history; the latest are retained. */
export const MAX_HISTORY_ENTRIES = 50;

export interface Suppression {
  readonly id: string;
  /** Normalised for comparison; null once its person was erased. */
  readonly address: string | null;
  readonly reason: SuppressionReason;
  readonly since: Date;
  readonly by: string;
  readonly emailLogId: string | null;
  readonly note: string | null;
  /** When it was removed from the list; null while it is on it. */
  readonly removedAt: Date | null;
  readonly history: readonly SuppressionChange[];
}

/** An entry to add to the list. */
export interface NewSuppression {
  readonly email: string;
  readonly reason: SuppressionReason;
  /** When the reason arose; an entry removed after this time stays removed. */
  readonly since: Date;
  readonly by: string;
  readonly note: string | null;
  readonly emailLogId: string | null;
  /** The contact whose message caused it; null if it was no message. */
  readonly contactId: string | null;
  /** The person was erased: only a digest of the address is stored. */
  readonly isErased?: boolean;
}

/** Characters of a note. */
export const MAX_NOTE_LENGTH = 500;

/**
 * Normalises all spellings of an address to one text, see contacts/domain/refusal; undefined if there is no address.
 */
export function addressKey(email: string): string | undefined {
  return namesOfAddress(email)[0]?.text;
}

/** The stronger of two reasons. */
export function strongerReason(one: SuppressionReason, other: SuppressionReason): SuppressionReason {
  return SUPPRESSION_REASONS.indexOf(one) >= SUPPRESSION_REASONS.indexOf(other) ? one : other;
}

/**
 * One entry per address, with its strongest reason; among equals the first. Sorted by address, the order in which
 * rows are locked.
 */
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
