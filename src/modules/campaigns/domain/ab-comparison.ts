/**
 * The results of an A/B test: campaigns.md, "A/B tests". Rates are percentages of the messages that were sent and have
 * arrived.
 */
import type { AbMetric } from './ab-test.js';
import { isUnmeasured, type Measured } from '../../metrics/domain/measured.js';
import { percentage, type MeasuredCounts } from '../../metrics/domain/rates.js';
import { twoProportionPValue, wilsonInterval, type Share } from './statistics.js';

/** The results of a variant's test group. */
export interface VariantCounts {
  readonly recipients: number;
  readonly sent: number;
  readonly bounced: number;
  readonly opened: number;
  readonly clicked: number;
  readonly conversions: number;
}

/** Adds how many of the group's messages were measured. */
export interface MeasuredVariant extends VariantCounts {
  readonly known: MeasuredCounts;
}

export interface RatedVariant extends VariantCounts {
  /** Null if no message was measured. */
  readonly rate: number | null;
  /** For how many of the delivered messages the test's metric was measured. */
  readonly measured: Measured;
  /** The 95% confidence interval of the rate. */
  readonly interval: readonly [low: number, high: number];
}

export interface AbComparison {
  readonly variants: readonly RatedVariant[];
  /** Whether the test's metric was measured for every variant that has reached a contact. */
  readonly isMeasured: boolean;
  /** The index of the best variant so far: the first of equals, and the first of all if nothing is known. */
  readonly best: number;
  /** Compares the two best variants; null if unknown. */
  readonly pValue: number | null;
  readonly significant: boolean;
}

/** A difference is significant if its p-value is below this. */
export const SIGNIFICANCE_LEVEL = 0.05;

/** @param counts of each variant, at least one. */
export function compareVariants(counts: readonly MeasuredVariant[], metric: AbMetric): AbComparison {
  const measured = counts.map((variant) => measuredOf(variant, metric));
  const isMeasured = !measured.some(isUnmeasured);
  const shares = counts.map((variant) => shareOf(variant, metric));
  const order = shares
    .map((_, index) => index)
    .toSorted((one, other) => fraction(shares[other]) - fraction(shares[one]) || one - other);
  const [best = 0, second] = order;
  const pValue = second === undefined || !isMeasured ? null : pValueOf(shares[best], shares[second]);
  return {
    variants: counts.map((variant, index) =>
      rated(variant, shares[index] ?? EMPTY_SHARE, measured[index] ?? NOT_MEASURED),
    ),
    isMeasured,
    best,
    pValue,
    significant: pValue !== null && pValue < SIGNIFICANCE_LEVEL,
  };
}

/** The conversion rate of the holdout group, as a percentage. */
export function holdoutRate({
  recipients,
  conversions,
}: Pick<VariantCounts, 'recipients' | 'conversions'>): number {
  return percentage(conversions, recipients);
}

const EMPTY_SHARE: Share = { part: 0, whole: 0 };

const NOT_MEASURED: Measured = { measured: 0, of: 0 };

/** Conversions are events, so they are measured for every contact. */
function measuredOf({ sent, bounced, known }: MeasuredVariant, metric: AbMetric): Measured {
  const of = Math.max(0, sent - bounced);
  const measured = { open_rate: known.opensOf, click_rate: known.clicksOf, conversion_rate: of }[metric];
  return { measured: Math.max(0, measured), of };
}

function shareOf(variant: MeasuredVariant, metric: AbMetric): Share {
  const { known, conversions } = variant;
  const { measured: whole } = measuredOf(variant, metric);
  const part = { open_rate: known.opensIn, click_rate: known.clicksIn, conversion_rate: conversions }[metric];
  // A contact may have opened a message that bounced later.
  return { part: Math.min(part, whole), whole };
}

function fraction(share: Share = EMPTY_SHARE): number {
  return share.whole === 0 ? 0 : share.part / share.whole;
}

function pValueOf(one: Share = EMPTY_SHARE, other: Share = EMPTY_SHARE): number | null {
  return twoProportionPValue(one, other);
}

function rated(
  { known: _known, ...variant }: MeasuredVariant,
  share: Share,
  measured: Measured,
): RatedVariant {
  const [low, high] = wilsonInterval(share);
  const shown = (part: number): number => percentage(part, 1);
  const rate = isUnmeasured(measured) ? null : percentage(share.part, share.whole);
  return { ...variant, rate, measured, interval: [shown(low), shown(high)] };
}
