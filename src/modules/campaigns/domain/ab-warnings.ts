/** Why the A/B test may give no meaningful result: shown before it starts, and while it runs. */
import type { AbMetric, AbTest } from './ab-test.js';
import { SIGNIFICANCE_LEVEL } from './ab-comparison.js';
import { twoProportionPValue } from './statistics.js';

export const AB_WARNINGS = ['ab_metric_not_measured', 'ab_audience_too_small'] as const;

export interface AbWarning {
  readonly code: (typeof AB_WARNINGS)[number];
  readonly message: string;
}

/** The difference that a test should be able to show. A group too small for this one shows nothing useful. */
const MIN_DETECTABLE_EFFECT: Readonly<Record<AbMetric, readonly [worse: number, better: number]>> = {
  open_rate: [0.2, 0.3],
  click_rate: [0.05, 0.1],
  conversion_rate: [0.05, 0.1],
};

/** The smallest group per variant for which that difference is significant. */
export function minVariantSize(metric: AbMetric): number {
  const [worse, better] = MIN_DETECTABLE_EFFECT[metric];
  const isSignificant = (whole: number): boolean => {
    const pValue = twoProportionPValue({ part: worse * whole, whole }, { part: better * whole, whole });
    return pValue !== null && pValue < SIGNIFICANCE_LEVEL;
  };
  let size = 1;
  while (!isSignificant(size)) size++;
  return size;
}

/** How many contacts of an audience get each variant of the test. */
export function variantSize(
  { variants, testPercentage, holdoutPercentage }: AbTest,
  audience: number,
): number {
  return Math.floor((audience * (100 - holdoutPercentage) * testPercentage) / 10_000 / variants.length);
}

/** The audience size at which each test group is large enough. */
export function minAudience({ variants, testPercentage, holdoutPercentage, metric }: AbTest): number {
  const parts = (100 - holdoutPercentage) * testPercentage;
  return Math.ceil((minVariantSize(metric) * variants.length * 10_000) / parts);
}

const METRIC_LABELS: Readonly<Record<AbMetric, string>> = {
  open_rate: 'opens',
  click_rate: 'clicks',
  conversion_rate: 'conversions',
};

/** @param audience number of contacts that get a message; null if not known yet. */
export function abWarnings(
  abTest: AbTest,
  { isMeasured, audience }: { readonly isMeasured: boolean; readonly audience: number | null },
): AbWarning[] {
  const { metric } = abTest;
  const warnings: AbWarning[] = [];
  if (!isMeasured)
    warnings.push({
      code: 'ab_metric_not_measured',
      message:
        `The test is decided by ${metric}, but ${METRIC_LABELS[metric]} are not measured: tracking is off, and the ` +
        'provider does not report them. No winner will be chosen automatically. Choose one manually, turn ' +
        'tracking on first, or use another metric.',
    });
  const size = audience === null ? null : variantSize(abTest, audience);
  const minSize = minVariantSize(metric);
  if (size !== null && size < minSize) {
    const [worse, better] = MIN_DETECTABLE_EFFECT[metric].map((share) => `${share * 100}%`);
    warnings.push({
      code: 'ab_audience_too_small',
      message:
        `Each variant goes to about ${size} of ${audience ?? 0} contacts. Telling ${worse ?? ''} from ` +
        `${better ?? ''} takes ${minSize} per variant: an audience of ${minAudience(abTest)}, fewer variants, ` +
        'or a larger test_percentage.',
    });
  }
  return warnings;
}
