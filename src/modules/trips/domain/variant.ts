/** Which variant of an ab_split a trip takes. A hash decides, so repeated evaluation gives the same result. */
import { hash } from 'node:crypto';
import type { Step } from '../../flows/domain/step.js';
import type { Variant } from '../../flows/domain/steps/ab-split.js';

/** Percentages have at most two decimals. */
const HUNDREDTHS = 100;
const ALL_HUNDREDTHS = 100 * HUNDREDTHS;

/**
 * The number that a trip draws at a split: below a hundred, with two decimals, uniformly distributed, and independent
 * for each split of a flow.
 */
export function drawOf(tripId: string, stepId: number): number {
  const drawn = Number.parseInt(hash('sha256', `${tripId} ${stepId}`).slice(0, 12), 16) % ALL_HUNDREDTHS;
  return drawn / HUNDREDTHS;
}

/** The index of the variant that a draw selects: the first whose cumulative percentage is above it. */
export function variantAt(variants: readonly Variant<Step>[], draw: number): number {
  const drawn = Math.round(draw * HUNDREDTHS);
  let cumulative = 0;
  for (const [index, { percentage }] of variants.entries()) {
    cumulative += Math.round(percentage * HUNDREDTHS);
    if (drawn < cumulative) return index;
  }
  return variants.length - 1;
}
