/**
 * Assigns contacts to the groups of an A/B test by a stable hash of campaign and contact. A contact's group therefore
 * never depends on when it is computed, and each instance of a recurring campaign tests the same contacts.
 */
import { createHash } from 'node:crypto';
import type { AbTest } from './ab-test.js';

export type AbGroup =
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
