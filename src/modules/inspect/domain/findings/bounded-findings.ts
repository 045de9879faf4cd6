/** How many findings a run tells (section 4.7): the gravest rules first, what is left out counted. */
import type { RuleFinding } from './finding.js';
import { RULES, type RuleName } from '../rules/catalogue.js';
import { FINDING_SEVERITIES } from '../rules/rule.js';

/** Findings of one check, and of one rule; the last of a rule counts those that are left out. */
export const MOST_FINDINGS = 500;
const MOST_OF_A_RULE = 50;

export function boundedFindings(findings: readonly RuleFinding[]): RuleFinding[] {
  const byRule = new Map<RuleName, RuleFinding[]>();
  for (const finding of findings) {
    const same = byRule.get(finding.rule);
    if (same) same.push(finding);
    else byRule.set(finding.rule, [finding]);
  }
  const gravest = [...byRule].sort(([a], [b]) => gravity(a) - gravity(b));
  let room = MOST_FINDINGS;
  let waiting = gravest.length;
  const told: RuleFinding[] = [];
  for (const [rule, same] of gravest) {
    waiting--;
    // Each rule that follows can tell one at least.
    const most = Math.max(1, Math.min(MOST_OF_A_RULE, room - waiting));
    const shown =
      same.length > most ? [...same.slice(0, most - 1), rest(rule, same.length - most + 1)] : same;
    room -= shown.length;
    for (const finding of shown) told.push(finding);
  }
  return told;
}

/** What is said of it holds for this very number: more that come later are heard of. */
function rest(rule: RuleName, count: number): RuleFinding {
  const message = `And ${count} more of this kind.`;
  return { rule, message, at: null, target: message };
}

function gravity(rule: RuleName): number {
  return FINDING_SEVERITIES.indexOf(RULES[rule].severity);
}
