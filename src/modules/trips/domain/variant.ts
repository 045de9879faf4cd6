/** Which variant of an ab_split a trip takes: drawn by a hash, so that whoever asks again gets the same answer. */
import { createHash } from 'node:crypto';
import type { Step, Variant } from '../../flows/domain/step.js';

/** Percentages have two decimals at most. */
const HUNDREDTHS = 100;
const ALL = 100 * HUNDREDTHS;

/** The index of the variant; trips are shared out evenly, and each split of a flow draws anew. */
export function variantOf(variants: readonly Variant<Step>[], tripId: string, stepId: number): number {
  const drawn = createHash('sha256').update(`${tripId} ${stepId}`).digest().readUIntBE(0, 6) % ALL;
  let beneath = 0;
  for (const [index, { percentage }] of variants.entries()) {
    beneath += Math.round(percentage * HUNDREDTHS);
    if (drawn < beneath) return index;
  }
  return variants.length - 1;
}
