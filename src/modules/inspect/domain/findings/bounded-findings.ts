/**
 * Limits the findings that a check returns and a run stores (section 4.7): the most severe are kept, and the rest are
 * counted.
 */
import type { RuleFinding } from './finding.js';
import { RULES, type RuleName } from '../rules/catalogue.js';
import { FINDING_SEVERITIES } from '../rules/rule.js';

/** Maximum number of findings of one check, and of one run. */
export const MAX_FINDINGS = 5_000;

export interface BoundedFindings {
  readonly findings: readonly RuleFinding[];
  /** The number of findings beyond MAX_FINDINGS. */
  readonly omitted: number;
}

/** The findings of the most severe rules, in their order; each rule keeps at least one. */
export function boundedFindings(findings: readonly RuleFinding[]): BoundedFindings {
  const byRule = new Map<RuleName, RuleFinding[]>();
  for (const finding of findings) {
    const same = byRule.get(finding.rule);
    if (same) same.push(finding);
    else byRule.set(finding.rule, [finding]);
  }
  const bySeverity = [...byRule].sort(([a], [b]) => severityRank(a) - severityRank(b));
  let remaining = MAX_FINDINGS;
  let rulesLeft = bySeverity.length;
  const bounded: RuleFinding[] = [];
  for (const [, same] of bySeverity) {
    rulesLeft--;
    const limit = Math.max(1, remaining - rulesLeft);
    const shown = same.slice(0, limit);
    remaining -= shown.length;
    for (const finding of shown) bounded.push(finding);
  }
  return { findings: bounded, omitted: findings.length - bounded.length };
}

function severityRank(rule: RuleName): number {
  return FINDING_SEVERITIES.indexOf(RULES[rule].severity);
}
