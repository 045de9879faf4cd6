/** Why the A/B test may give no meaningful result: said before it begins, and while it runs. */
import type { AbMetric, AbTest } from './ab-test.js';
import { SIGNIFICANT } from './ab-results.js';
import { differenceByChance } from './statistics.js';

export const AB_WARNINGS = ['ab_metric_not_measured', 'ab_audience_too_small'] as const;

export interface AbWarning {
  readonly code: (typeof AB_WARNINGS)[number];
  readonly message: string;
}

/** A difference that is worth a test: a group that cannot show even this one shows nothing. */
const WORTHWHILE: Readonly<Record<AbMetric, readonly [worse: number, better: number]>> = {
  open_rate: [0.2, 0.3],
  click_rate: [0.05, 0.1],
  conversion_rate: [0.05, 0.1],
};

/** The smallest group of each variant in which that difference is significant. */
export function neededPerVariant(metric: AbMetric): number {
  const [worse, better] = WORTHWHILE[metric];
  const shows = (whole: number): boolean => {
    const chance = differenceByChance({ part: worse * whole, whole }, { part: better * whole, whole });
    return chance !== null && chance < SIGNIFICANT;
  };
  let size = 1;
  while (!shows(size)) size++;
  return size;
}

/** How many of an audience each variant of the test goes to. */
export function perVariant(
  { variants, testPercentage, holdoutPercentage }: AbTest,
  audience: number,
): number {
  return Math.floor((audience * (100 - holdoutPercentage) * testPercentage) / 10_000 / variants.length);
}

/** The audience of which each variant of the test gets as many as it takes. */
export function neededAudience({ variants, testPercentage, holdoutPercentage, metric }: AbTest): number {
  const parts = (100 - holdoutPercentage) * testPercentage;
  return Math.ceil((neededPerVariant(metric) * variants.length * 10_000) / parts);
}

const NAMES: Readonly<Record<AbMetric, string>> = {
  open_rate: 'opens',
  click_rate: 'clicks',
  conversion_rate: 'conversions',
};

/** @param audience how many get a message at all; null where that is not known yet. */
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
        `The test is decided by ${metric}, but ${NAMES[metric]} are not measured: tracking is off, and the ` +
        'provider does not report them. No winner will be chosen automatically. Choose one manually, turn ' +
        'tracking on first, or use another metric.',
    });
  const size = audience === null ? null : perVariant(abTest, audience);
  const needed = neededPerVariant(metric);
  if (size !== null && size < needed) {
    const [worse, better] = WORTHWHILE[metric].map((share) => `${share * 100}%`);
    warnings.push({
      code: 'ab_audience_too_small',
      message:
        `Each variant goes to about ${size} of ${audience ?? 0} contacts. Telling ${worse ?? ''} from ` +
        `${better ?? ''} takes ${needed} per variant: an audience of ${neededAudience(abTest)}, fewer variants, ` +
        'or a larger test_percentage.',
    });
  }
  return warnings;
}
