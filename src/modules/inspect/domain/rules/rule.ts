/**
 * What a rule is. Each has a stable code (section 4.7; a code once given never changes its meaning), and its code settles
 * category, severity and what is said of it: cause and fix. Critical is what breaks the message for everyone or must not
 * go out; a warning is what many readers would suffer from; information is what a careful author wants to know.
 */

/** The letters with which the codes of each category begin. */
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

/** The gravest first. */
export const FINDING_SEVERITIES = ['critical', 'warning', 'info'] as const;
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

/** What preflight calls the categories (section 4.3). */
export const PREFLIGHT_CATEGORIES = ['content', 'links', 'images', 'domain', 'accessibility'] as const;
export type PreflightCategory = (typeof PREFLIGHT_CATEGORIES)[number];

/** What is said of a rule in its table. */
export interface RuleWords {
  readonly code: `${(typeof CATEGORY_LETTERS)[FindingCategory]}${number}`;
  readonly severity: FindingSeverity;
  readonly preflight: PreflightCategory;
  /** A few words, without a full stop. */
  readonly title: string;
  /** Why it matters, in a sentence. */
  readonly cause: string;
  /** How to mend it, in a sentence. */
  readonly fix: string;
}

export interface Rule extends RuleWords {
  readonly category: FindingCategory;
}

/** The rules of a category, by the names under which code speaks of them. */
export function rulesOf<Name extends string>(
  category: FindingCategory,
  rules: Readonly<Record<Name, RuleWords>>,
): Readonly<Record<Name, Rule>> {
  const entries = Object.entries<RuleWords>(rules).map(([name, rule]) => [name, { ...rule, category }]);
  return Object.fromEntries(entries) as Record<Name, Rule>;
}
