/**
 * Defines a rule. Each has a stable code (section 4.7; a published code never changes its meaning), which determines
 * category, severity, and the texts about cause and fix. Critical is what breaks the message for everyone or must not
 * be sent; a warning is what many readers would notice; information is what a careful author wants to know.
 */

/** The prefix of the codes of each category. */
export const CATEGORY_LETTERS = {
  html: 'HT',
  css: 'CS',
  images: 'IM',
  links: 'LK',
  spam: 'SP',
  accessibility: 'AC',
  rendering: 'RN',
  dark_mode: 'DM',
  subject: 'SJ',
  tracking: 'TR',
} as const;
export type FindingCategory = keyof typeof CATEGORY_LETTERS;
export const FINDING_CATEGORIES = Object.keys(CATEGORY_LETTERS) as FindingCategory[];

/** Most severe first. */
export const FINDING_SEVERITIES = ['critical', 'warning', 'info'] as const;
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

/** The names of the categories in preflight (section 4.3). */
export const PREFLIGHT_CATEGORIES = ['content', 'links', 'images', 'domain', 'accessibility'] as const;
export type PreflightCategory = (typeof PREFLIGHT_CATEGORIES)[number];

/** The entry of a rule in its table. */
export interface RuleDefinition {
  readonly code: `${(typeof CATEGORY_LETTERS)[FindingCategory]}${number}`;
  readonly severity: FindingSeverity;
  readonly preflight: PreflightCategory;
  /** A few words, without a full stop. */
  readonly title: string;
  /** Why it matters, in a sentence. */
  readonly cause: string;
  /** How to fix it, in a sentence. */
  readonly fix: string;
}

export interface Rule extends RuleDefinition {
  readonly category: FindingCategory;
}

/** The rules of a category, by their names in code. */
export function rulesOf<Name extends string>(
  category: FindingCategory,
  rules: Readonly<Record<Name, RuleDefinition>>,
): Readonly<Record<Name, Rule>> {
  const entries = Object.entries<RuleDefinition>(rules).map(([name, rule]) => [name, { ...rule, category }]);
  return Object.fromEntries(entries) as Record<Name, Rule>;
}
