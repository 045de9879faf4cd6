/** Every rule of preflight and quality analysis (sections 4.3 and 4.7): one set for both. */
import { ACCESSIBILITY_RULES } from './accessibility-rules.js';
import { CSS_RULES } from './css-rules.js';
import { DARK_MODE_RULES } from './dark-mode-rules.js';
import { HTML_RULES } from './html-rules.js';
import { IMAGE_RULES } from './images-rules.js';
import { LINK_RULES } from './links-rules.js';
import { RENDERING_RULES } from './rendering-rules.js';
import type { Rule } from './rule.js';
import { SPAM_RULES } from './spam-rules.js';
import { SPAM_SIGNS_RULES } from './spam-signs-rules.js';
import { SPAM_WORDING_RULES } from './spam-wording-rules.js';
import { SUBJECT_RULES } from './subject-rules.js';
import { SUBJECT_WORDING_RULES } from './subject-wording-rules.js';
import { TRACKING_RULES } from './tracking-rules.js';

export const RULES = {
  ...HTML_RULES,
  ...CSS_RULES,
  ...IMAGE_RULES,
  ...LINK_RULES,
  ...SPAM_RULES,
  ...SPAM_WORDING_RULES,
  ...SPAM_SIGNS_RULES,
  ...ACCESSIBILITY_RULES,
  ...RENDERING_RULES,
  ...DARK_MODE_RULES,
  ...SUBJECT_RULES,
  ...SUBJECT_WORDING_RULES,
  ...TRACKING_RULES,
};

/** The name of a rule in code; users see its code. */
export type RuleName = keyof typeof RULES;

const BY_CODE = new Map(
  (Object.entries(RULES) as [RuleName, Rule][]).map(([name, rule]) => [rule.code as string, name]),
);

/** Every code that a finding may have, sorted. */
export const FINDING_CODES: readonly string[] = [...BY_CODE.keys()].sort();

/** The rule of a code; undefined for an unknown code. */
export function ruleOfCode(code: string): Rule | undefined {
  const name = BY_CODE.get(code);
  return name && RULES[name];
}
