/** What a contact of the segment gets: a variant now, the winner of the test later, or nothing. */
import type { AudienceMember } from '../../segments/domain/audience.js';
import { abGroupOf } from './ab-group.js';
import type { CampaignInstance } from './instance.js';

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
