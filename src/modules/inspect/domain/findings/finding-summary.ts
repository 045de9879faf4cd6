/** What a run comes to in numbers (section 4.7): the open findings at its end. */
import type { FindingCategory, FindingSeverity } from '../rules/rule.js';

export type FindingSummary = Readonly<Record<FindingSeverity, number>> & {
  /** Every category, also those without a finding. */
  readonly byCategory: Readonly<Record<FindingCategory, number>>;
};
