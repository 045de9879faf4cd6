/** Turns findings into the answer of preflight (section 4.3). */
import { SourceLines } from '../../../../language/language.js';
import type { RuleFinding } from '../findings/finding.js';
import { RULES, type RuleName } from '../rules/catalogue.js';
import type { FindingSeverity, PreflightCategory, Rule } from '../rules/rule.js';

/** The names of severities in preflight. */
export const PREFLIGHT_SEVERITIES = ['error', 'warning', 'info'] as const;
export type PreflightSeverity = (typeof PREFLIGHT_SEVERITIES)[number];

const SEVERITY_OF: Readonly<Record<FindingSeverity, PreflightSeverity>> = {
  critical: 'error',
  warning: 'warning',
  info: 'info',
};

/** One item of the answer; `line` and `column` count from 1 in body_html, null if the item has no position there. */
export interface PreflightItem {
  readonly category: PreflightCategory;
  readonly message: string;
  readonly severity: PreflightSeverity;
  /** The stable code of the rule, such as LK001. */
  readonly code: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly hint: string;
}

/** `pass` means that there are no errors. */
export interface Preflight {
  readonly pass: boolean;
  readonly errors: readonly PreflightItem[];
  readonly warnings: readonly PreflightItem[];
  readonly info: readonly PreflightItem[];
}

/** Maximum number of items of one code; further ones are counted. */
export const MAX_PER_CODE = 20;

/** Sorts findings by severity and position and limits their number. */
export function summarize(findings: readonly RuleFinding[], bodyHtml: string): Preflight {
  const lines = new SourceLines(bodyHtml);
  const byRule = new Map<RuleName, RuleFinding[]>();
  for (const finding of findings) {
    const same = byRule.get(finding.rule);
    if (same) same.push(finding);
    else byRule.set(finding.rule, [finding]);
  }
  const items = [...byRule].flatMap(([rule, same]) => itemsOf(RULES[rule], same, lines));
  const errors = items.filter(({ severity }) => severity === 'error');
  return {
    pass: errors.length === 0,
    errors,
    warnings: items.filter(({ severity }) => severity === 'warning'),
    info: items.filter(({ severity }) => severity === 'info'),
  };
}

function itemsOf(
  { code, preflight: category, severity, fix: hint }: Rule,
  findings: readonly RuleFinding[],
  lines: SourceLines,
): PreflightItem[] {
  const item = ({ message, at }: Pick<RuleFinding, 'message' | 'at'>): PreflightItem => {
    const position = typeof at === 'number' ? lines.positionOf(at) : at;
    return {
      category,
      message,
      severity: SEVERITY_OF[severity],
      code,
      line: position?.line ?? null,
      column: position?.column ?? null,
      hint,
    };
  };
  const shown = findings.slice(0, MAX_PER_CODE).map(item);
  const hidden = findings.length - shown.length;
  if (hidden > 0) shown.push(item({ message: `And ${hidden} more of this kind.`, at: null }));
  return shown;
}
