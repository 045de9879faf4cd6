/** What a rule of preflight finds, and how findings become the answer of section 4.3. */
import { SourceLines } from '../../../language/language.js';
import { RULES, type PreflightCategory, type PreflightCode, type PreflightSeverity } from './rules.js';

/** `at`: offset in the body, or line and column of it, or null for what has no place there. */
export interface PreflightFinding {
  readonly code: PreflightCode;
  readonly message: string;
  readonly at: number | { readonly line: number; readonly column: number } | null;
}

/** One item of the answer; `line` and `column` count from 1 in body_html, null where the item has no place there. */
export interface PreflightItem {
  readonly category: PreflightCategory;
  readonly message: string;
  readonly severity: PreflightSeverity;
  readonly code: PreflightCode;
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

/** Items of one code that are shown; the rest is counted. */
export const MOST_PER_CODE = 20;
const LONGEST_QUOTE = 80;

/** Something of the template within a message, on one line and not too long. */
export function quote(text: string): string {
  const line = text
    .slice(0, LONGEST_QUOTE * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const cut = line.length > LONGEST_QUOTE || text.length > LONGEST_QUOTE * 4;
  return `“${cut ? `${line.slice(0, LONGEST_QUOTE).toWellFormed()}…` : line.toWellFormed()}”`;
}

/** Sorts findings by severity and place and bounds their number. */
export function summarize(findings: readonly PreflightFinding[], bodyHtml: string): Preflight {
  const lines = new SourceLines(bodyHtml);
  const byCode = new Map<PreflightCode, PreflightFinding[]>();
  for (const finding of findings) {
    const same = byCode.get(finding.code);
    if (same) same.push(finding);
    else byCode.set(finding.code, [finding]);
  }
  const items = [...byCode].flatMap(([code, same]) => itemsOf(code, same, lines));
  const errors = items.filter(({ severity }) => severity === 'error');
  return {
    pass: errors.length === 0,
    errors,
    warnings: items.filter(({ severity }) => severity === 'warning'),
    info: items.filter(({ severity }) => severity === 'info'),
  };
}

function itemsOf(
  code: PreflightCode,
  findings: readonly PreflightFinding[],
  lines: SourceLines,
): PreflightItem[] {
  const { category, severity, hint } = RULES[code];
  const item = ({ message, at }: PreflightFinding): PreflightItem => {
    const place = typeof at === 'number' ? lines.positionOf(at) : at;
    return {
      category,
      message,
      severity,
      code,
      line: place?.line ?? null,
      column: place?.column ?? null,
      hint,
    };
  };
  const shown = findings.slice(0, MOST_PER_CODE).map(item);
  const hidden = findings.length - shown.length;
  if (hidden > 0) shown.push(item({ code, message: `And ${hidden} more of this kind.`, at: null }));
  return shown;
}
