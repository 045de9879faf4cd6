/** The audience that a campaign would reach if it were sent now, and the contacts skipped, by reason; section 4.5. */
import { createHash } from 'node:crypto';
import type { Contact } from '../../contacts/domain/contact.js';
import { maskerFor } from '../../contacts/domain/masking.js';
import type { AudienceMember } from '../../segments/domain/audience.js';
import { addressKey } from '../../suppressions/domain/suppression.js';
import type { AbWarning } from './ab-warnings.js';
import { skippedReason, type SkippedReason } from './audience-group.js';

export const MAX_SAMPLE_CONTACTS = 10;

/** Skip reasons that are known before an audience is taken. */
export const PREVIEWED_REASONS = [
  'unsubscribed',
  'deleted',
  'no_email_address',
  'suppression_list',
  'duplicate_address',
] as const satisfies readonly SkippedReason[];
type PreviewedReason = (typeof PREVIEWED_REASONS)[number];

export interface AudiencePreview {
  readonly segmentId: string;
  /** All contacts in the segment. */
  readonly total: number;
  readonly sendable: number;
  readonly skipped: { readonly [Reason in PreviewedReason]: number };
  /** Contacts that would get the message, newest first. */
  readonly sample: readonly Contact[];
  readonly evaluatedAt: Date;
  /** Why the A/B test may give no meaningful result. */
  readonly abTestWarnings: readonly AbWarning[];
}

type CountedMember = Pick<AudienceMember, 'id' | 'email' | 'subscriptionStatus'>;

/**
 * Counts an audience that arrives in parts, in the order of ids. Of the contacts, it keeps only the ids of a sample.
 */
export class AudienceCounter {
  private total = 0;
  private readonly skips = new Map<PreviewedReason, number>();
  private readonly addresses = new AddressSet();
  private newest: string[] = [];

  /**
   * @param optedOut ids of contacts that have opted out, whatever their records say.
   * @param suppressed ids of contacts whose address is on the suppression list.
   */
  add(
    members: readonly CountedMember[],
    optedOut: ReadonlySet<string>,
    suppressed: ReadonlySet<string>,
  ): void {
    this.total += members.length;
    const sendable: string[] = [];
    for (const member of members) {
      const { id } = member;
      const reason = this.reasonFor(member, { hasRefused: optedOut.has(id), isListed: suppressed.has(id) });
      if (reason === null) sendable.push(id);
      else this.skips.set(reason, (this.skips.get(reason) ?? 0) + 1);
    }
    // Ids sort by creation time.
    const candidates = [...this.newest, ...sendable].sort((one, other) => (one < other ? 1 : -1));
    this.newest = candidates.slice(0, MAX_SAMPLE_CONTACTS);
  }

  /** Applies the rule of the real send: of several contacts with one address, the first that may get mail gets it. */
  private reasonFor(
    member: CountedMember,
    exclusions: Parameters<typeof skippedReason>[1],
  ): PreviewedReason | null {
    const reason = skippedReason(member, exclusions);
    if (reason !== null) return reason;
    return this.addresses.add(addressKey(member.email ?? '') ?? '') ? null : 'duplicate_address';
  }

  /** The ids of the newest contacts that would get the message, newest first. */
  get sample(): readonly string[] {
    return this.newest;
  }

  get counts(): Pick<AudiencePreview, 'total' | 'sendable' | 'skipped'> {
    const skipped = Object.fromEntries(
      PREVIEWED_REASONS.map((reason) => [reason, this.skips.get(reason) ?? 0]),
    ) as AudiencePreview['skipped'];
    const sum = Object.values(skipped).reduce((all, count) => all + count, 0);
    return { total: this.total, sendable: this.total - sum, skipped };
  }
}

/**
 * Returns the preview to show. @param withAddresses whether the caller may read contacts; otherwise addresses are
 * masked.
 */
export function shownAudience(preview: AudiencePreview, withAddresses: boolean): AudiencePreview {
  if (withAddresses) return preview;
  return { ...preview, sample: preview.sample.map((contact) => maskerFor(contact.phone)(contact)) };
}

/**
 * A set of addresses that takes 16 to 32 bytes for each, so that millions can be counted. It keeps 64 bits of a hash of
 * each address; among ten million, the probability of a collision is 3 in 1,000,000.
 */
const INITIAL_SLOTS = 1_024;
/** Marks a free slot; no stored hash has this value. */
const FREE = 0n;

export class AddressSet {
  private slots = new BigUint64Array(INITIAL_SLOTS);
  private size = 0;

  /** Adds an address; returns whether it is new. */
  add(address: string): boolean {
    const digest = createHash('sha256').update(address).digest().readBigUInt64LE() || 1n;
    if (!insertDigest(this.slots, digest)) return false;
    this.size++;
    if (this.size * 2 > this.slots.length) this.grow();
    return true;
  }

  private grow(): void {
    const larger = new BigUint64Array(this.slots.length * 2);
    for (const digest of this.slots) if (digest !== FREE) insertDigest(larger, digest);
    this.slots = larger;
  }
}

/** Puts a digest into its slot or the next free one; returns false if it is already there. */
function insertDigest(slots: BigUint64Array, digest: bigint): boolean {
  const last = slots.length - 1;
  for (let slot = Number(digest & BigInt(last)); ; slot = (slot + 1) & last) {
    if (slots[slot] === digest) return false;
    if (slots[slot] === FREE) {
      slots[slot] = digest;
      return true;
    }
  }
}
