/** What a test of variants has shown: campaigns.md, "A/B tests". Rates are percentages of what was sent and has arrived. */
import type { AbMetric } from './ab-test.js';
import { percentage } from '../../metrics/domain/rates.js';
import { differenceByChance, wilsonInterval, type Share } from './statistics.js';

/** What a variant's test group has come to. */
export interface VariantCounts {
  readonly recipients: number;
  readonly sent: number;
  readonly bounced: number;
  readonly opened: number;
  readonly clicked: number;
  readonly conversions: number;
}

export interface RatedVariant extends VariantCounts {
  readonly rate: number;
  /** Between what the rate lies, 19 times of 20. */
  readonly interval: readonly [low: number, high: number];
}

export interface AbFindings {
  readonly variants: readonly RatedVariant[];
  /** The index of the best so far: the first of several, and where nothing is known. */
  readonly best: number;
  /** Of the best two; null where nothing is known. */
  readonly pValue: number | null;
  readonly significant: boolean;
}

/** Below it a difference is taken for one. */
const SIGNIFICANT = 0.05;

/** @param counts of each variant, at least one. */
export function abFindings(counts: readonly VariantCounts[], metric: AbMetric): AbFindings {
  const shares = counts.map((variant) => shareOf(variant, metric));
  const order = shares
    .map((_, index) => index)
    .toSorted((one, other) => fraction(shares[other]) - fraction(shares[one]) || one - other);
  const [best = 0, second] = order;
  const pValue = second === undefined ? null : comparison(shares[best], shares[second]);
  return {
    variants: counts.map((variant, index) => rated(variant, shares[index] ?? NOBODY)),
    best,
    pValue,
    significant: pValue !== null && pValue < SIGNIFICANT,
  };
}

/** The conversions of whoever gets nothing, as a percentage. */
export function holdoutRate({
  recipients,
  conversions,
}: Pick<VariantCounts, 'recipients' | 'conversions'>): number {
  return percentage(conversions, recipients);
}

const NOBODY: Share = { part: 0, whole: 0 };

function shareOf({ sent, bounced, ...variant }: VariantCounts, metric: AbMetric): Share {
  const whole = Math.max(0, sent - bounced);
  const { opened, clicked, conversions } = variant;
  const part = { open_rate: opened, click_rate: clicked, conversion_rate: conversions }[metric];
  // Somebody may have opened what came back all the same.
  return { part: Math.min(part, whole), whole };
}

function fraction(share: Share = NOBODY): number {
  return share.whole === 0 ? 0 : share.part / share.whole;
}

function comparison(one: Share = NOBODY, other: Share = NOBODY): number | null {
  return differenceByChance(one, other);
}

function rated(variant: VariantCounts, share: Share): RatedVariant {
  const [low, high] = wilsonInterval(share);
  const shown = (part: number): number => percentage(part, 1);
  return { ...variant, rate: percentage(share.part, share.whole), interval: [shown(low), shown(high)] };
}
