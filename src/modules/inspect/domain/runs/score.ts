/**
 * Computes the result of a run from its open findings (section 4.7): a score from 0 to 100, a summary, and whether the
 * message may be sent. The score is 100 minus the cost of each code: 25 for a critical one, 6 for a warning, 1 for
 * information. Up to four further findings of a code cost a quarter of that each, and information costs at most 10 in
 * total. One more finding never raises the score, and while anything critical is open it is at most 75.
 */
import type { FindingSummary } from '../findings/finding-summary.js';
import { FINDING_CATEGORIES, type FindingCategory, type FindingSeverity } from '../rules/rule.js';

/** The parts of an open finding that count. */
export interface CountedFinding {
  readonly code: string;
  readonly category: FindingCategory;
  readonly severity: FindingSeverity;
}

const BEST_SCORE = 100;
const COST: Readonly<Record<FindingSeverity, number>> = { critical: 25, warning: 6, info: 1 };
/** The share of a code's cost that each further finding of it adds, and how many of them count. */
const REPEAT_COST_SHARE = 0.25;
const MAX_COUNTED_REPEATS = 4;
/** The maximum cost of information. */
const MAX_INFO_COST = 10;

/** From 0 to 100, an integer. */
export function scoreOf(open: readonly CountedFinding[]): number {
  const counts = new Map<string, { readonly severity: FindingSeverity; count: number }>();
  for (const { code, severity } of open) {
    const known = counts.get(code);
    if (known) known.count++;
    else counts.set(code, { severity, count: 1 });
  }
  const cost: Record<FindingSeverity, number> = { critical: 0, warning: 0, info: 0 };
  for (const { severity, count } of counts.values())
    cost[severity] += COST[severity] * (1 + REPEAT_COST_SHARE * Math.min(count - 1, MAX_COUNTED_REPEATS));
  const all = cost.critical + cost.warning + Math.min(cost.info, MAX_INFO_COST);
  return Math.max(0, Math.floor(BEST_SCORE - all));
}

export function summaryOf(open: readonly CountedFinding[]): FindingSummary {
  const byCategory = Object.fromEntries(FINDING_CATEGORIES.map((category) => [category, 0])) as Record<
    FindingCategory,
    number
  >;
  const summary: Record<FindingSeverity, number> = { critical: 0, warning: 0, info: 0 };
  for (const { category, severity } of open) {
    byCategory[category]++;
    summary[severity]++;
  }
  return { ...summary, byCategory };
}

/** Whether no critical finding is open. */
export function canSend(open: readonly Pick<CountedFinding, 'severity'>[]): boolean {
  return open.every(({ severity }) => severity !== 'critical');
}
