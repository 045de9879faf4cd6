/** What a test of variants has shown: campaigns.md, "A/B tests". Rates are percentages of what was sent and has arrived. */
import type { AbMetric } from './ab-test.js';
import { isUnmeasured, type Measured } from '../../metrics/domain/measured.js';
import { percentage, type MeasuredCounts } from '../../metrics/domain/rates.js';
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

/** With as much of it as was measured. */
export interface MeasuredVariant extends VariantCounts {
  readonly known: MeasuredCounts;
}

export interface RatedVariant extends VariantCounts {
  /** Null where nothing of it was measured. */
  readonly rate: number | null;
  /** Of how many of those whom it has reached what the test goes by was measured. */
  readonly measured: Measured;
  /** Between what the rate lies, 19 times of 20. */
  readonly interval: readonly [low: number, high: number];
}

export interface AbFindings {
  readonly variants: readonly RatedVariant[];
  /** Whether what the test goes by was measured of every variant that has reached somebody. */
  readonly isMeasured: boolean;
  /** The index of the best so far: the first of several, and where nothing is known. */
  readonly best: number;
  /** Of the best two; null where nothing is known. */
  readonly pValue: number | null;
  readonly significant: boolean;
}

/** Below it a difference is taken for one. */
export const SIGNIFICANT = 0.05;

/** @param counts of each variant, at least one. */
export function abFindings(counts: readonly MeasuredVariant[], metric: AbMetric): AbFindings {
  const measured = counts.map((variant) => measuredOf(variant, metric));
  const isMeasured = !measured.some(isUnmeasured);
  const shares = counts.map((variant) => shareOf(variant, metric));
  const order = shares
    .map((_, index) => index)
    .toSorted((one, other) => fraction(shares[other]) - fraction(shares[one]) || one - other);
  const [best = 0, second] = order;
  const pValue = second === undefined || !isMeasured ? null : comparison(shares[best], shares[second]);
  return {
    variants: counts.map((variant, index) =>
      rated(variant, shares[index] ?? NOBODY, measured[index] ?? NONE),
    ),
    isMeasured,
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

const NONE: Measured = { measured: 0, of: 0 };

/** Conversions are events, which everybody has told. */
function measuredOf({ sent, bounced, known }: MeasuredVariant, metric: AbMetric): Measured {
  const of = Math.max(0, sent - bounced);
  const measured = { open_rate: known.opensOf, click_rate: known.clicksOf, conversion_rate: of }[metric];
  return { measured: Math.max(0, measured), of };
}

function shareOf(variant: MeasuredVariant, metric: AbMetric): Share {
  const { known, conversions } = variant;
  const { measured: whole } = measuredOf(variant, metric);
  const part = { open_rate: known.opensIn, click_rate: known.clicksIn, conversion_rate: conversions }[metric];
  // Somebody may have opened what came back all the same.
  return { part: Math.min(part, whole), whole };
}

function fraction(share: Share = NOBODY): number {
  return share.whole === 0 ? 0 : share.part / share.whole;
}

function comparison(one: Share = NOBODY, other: Share = NOBODY): number | null {
  return differenceByChance(one, other);
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
