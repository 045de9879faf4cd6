/** The group of the audience that a contact belongs to, and why a contact gets no message. */
import { createHash } from 'node:crypto';
import type { AudienceMember } from '../../segments/domain/audience.js';
import type { CampaignInstance } from './instance.js';
import type { AbTest } from './ab-test.js';

export const SKIPPED_REASONS = [
  'unsubscribed',
  'deleted',
  'no_email_address',
  'suppression_list',
  'duplicate_address',
  'holdout',
] as const;
export type SkippedReason = (typeof SKIPPED_REASONS)[number];

/** Why no message is created for a contact, so that it does not count towards the plan; null if one is. */
export function skippedReason(
  { subscriptionStatus, email }: Pick<AudienceMember, 'subscriptionStatus' | 'email'>,
  { hasRefused, isListed }: { readonly hasRefused: boolean; readonly isListed: boolean },
): Exclude<SkippedReason, 'duplicate_address' | 'holdout'> | null {
  if (subscriptionStatus === 'deleted') return 'deleted';
  if (subscriptionStatus === 'unsubscribed' || hasRefused) return 'unsubscribed';
  if ((email ?? '').trim() === '') return 'no_email_address';
  return isListed ? 'suppression_list' : null;
}

export type AudienceGroup =
  | { readonly kind: 'holdout' }
  | { readonly kind: 'rest' }
  /** `variant`: the index of the variant it gets. */
  | { readonly kind: 'variant'; readonly variant: number };

/** The group of a contact that may get a message: the only variant, or the group that the test assigns. */
export function audienceGroupOf(
  { campaignId, content: { abTest } }: Pick<CampaignInstance, 'campaignId' | 'content'>,
  contactId: string,
): AudienceGroup {
  if (abTest === null) return { kind: 'variant', variant: 0 };
  const group = abGroupOf(campaignId, contactId, abTest);
  return group.kind === 'variant' ? { kind: 'variant', variant: group.index } : group;
}

/**
 * Assigns contacts to the groups of an A/B test by a stable hash of campaign and contact. A contact's group therefore
 * never depends on when it is computed, and each instance of a recurring campaign tests the same contacts.
 */
type AbGroup =
  /** Gets no message, and is compared with the contacts that get one. */
  | { readonly kind: 'holdout' }
  /** Belongs to the test, and gets the variant of this index. */
  | { readonly kind: 'variant'; readonly index: number }
  /** Gets the winner. */
  | { readonly kind: 'rest' };

/**
 * @returns the holdout group for the highest hash values, a test group for the lowest: if either share grows, its
 *   present members stay in it.
 */
export function abGroupOf(
  campaignId: string,
  contactId: string,
  { variants, testPercentage, holdoutPercentage }: AbTest,
): AbGroup {
  const digest = createHash('sha256').update(`${campaignId} ${contactId}`).digest();
  const share = (digest.readUInt32BE(0) / 2 ** 32) * 100;
  if (share >= 100 - holdoutPercentage) return { kind: 'holdout' };
  // A share of the contacts outside the holdout group, so that a test of 100% includes all of them.
  const tested = ((100 - holdoutPercentage) * testPercentage) / 100;
  if (share >= tested) return { kind: 'rest' };
  return { kind: 'variant', index: digest.readUInt32BE(4) % variants.length };
}
