/** Counts the findings of a run (section 4.7): those open when it ended. */
import type { FindingCategory, FindingSeverity } from '../rules/rule.js';

export type FindingSummary = Readonly<Record<FindingSeverity, number>> & {
  /** Every category, including those without a finding. */
  readonly byCategory: Readonly<Record<FindingCategory, number>>;
};
