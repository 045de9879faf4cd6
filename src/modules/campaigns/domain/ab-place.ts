/**
 * Where a contact stands in a test of variants: by a stable hash of campaign and contact, so that nobody changes places
 * whatever is asked when, and each instance of a recurring campaign asks the same people.
 */
import { createHash } from 'node:crypto';
import type { AbTest } from './ab-test.js';

export type AbPlace =
  /** Gets nothing, and is compared with those who do. */
  | { readonly kind: 'holdout' }
  /** Is of the test: gets the variant of this index. */
  | { readonly kind: 'variant'; readonly index: number }
  /** Gets the winner. */
  | { readonly kind: 'rest' };

/**
 * @returns the hold-out by the highest of the hash's values, the test by the lowest: a larger share of either leaves those in
 *   it who were.
 */
export function placeOf(
  campaignId: string,
  contactId: string,
  { variants, testPercentage, holdoutPercentage }: AbTest,
): AbPlace {
  const digest = createHash('sha256').update(`${campaignId} ${contactId}`).digest();
  const share = (digest.readUInt32BE(0) / 2 ** 32) * 100;
  if (share >= 100 - holdoutPercentage) return { kind: 'holdout' };
  // Of those who are not held out, so that a test of 100% is of all of them.
  const tested = ((100 - holdoutPercentage) * testPercentage) / 100;
  if (share >= tested) return { kind: 'rest' };
  return { kind: 'variant', index: digest.readUInt32BE(4) % variants.length };
}
