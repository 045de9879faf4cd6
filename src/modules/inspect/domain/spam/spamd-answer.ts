/** Reads the answer of spamd to REPORT (protocol 1.5): a verdict, and a report in text that lists its rules. */
import { quote, type RuleFinding } from '../findings/finding.js';

export interface SpamdVerdict {
  readonly isSpam: boolean;
  readonly points: number;
  /** The points from which the filter classifies a message as spam. */
  readonly threshold: number;
  readonly rules: readonly SpamdRule[];
}

export interface SpamdRule {
  readonly name: string;
  readonly points: number;
  readonly description: string;
}

export type SpamdAnswer =
  | { readonly kind: 'verdict'; readonly verdict: SpamdVerdict }
  /** spamd answers that it did not judge; `code` is its name for the reason. */
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'unreadable' };

/** Maximum number of rules of a report that are read. */
const MAX_RULES = 200;
/** Maximum number of characters of a rule's description. */
const MAX_DESCRIPTION_LENGTH = 300;
/** The points from which a rule matters by itself, and the maximum number of rules that are reported. */
const MIN_POINTS = 0.5;
const MAX_REPORTED_RULES = 20;

/** @param answer the complete answer, up to the end of the connection. */
export function readSpamdAnswer(answer: string): SpamdAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const head = (end < 0 ? answer : answer.slice(0, end)).split('\r\n');
  const [, code, reason = ''] =
    /^SPAMD\/\d{1,3}\.\d{1,3} (\d{1,3})(?: ([\w ]{0,100}))?/.exec(head[0] ?? '') ?? [];
  if (code === undefined) return { kind: 'unreadable' };
  if (code !== '0') return { kind: 'refused', code: reason.trim() || code };
  const body = end < 0 ? '' : answer.slice(end + 4);
  const declared = fieldOf(head, 'content-length');
  // A truncated answer is not used: rules would be missing from it.
  if (end < 0 || (declared !== undefined && Number(declared) !== Buffer.byteLength(body)))
    return { kind: 'unreadable' };
  const verdict =
    /^(true|false|yes|no)\s*;\s*(-?\d{1,6}(?:\.\d{1,4})?)\s*\/\s*(-?\d{1,6}(?:\.\d{1,4})?)$/i.exec(
      fieldOf(head, 'spam') ?? '',
    );
  if (!verdict) return { kind: 'unreadable' };
  const [, isSpam = '', points, threshold] = verdict;
  return {
    kind: 'verdict',
    verdict: {
      isSpam: /^(?:true|yes)$/i.test(isSpam),
      points: Number(points),
      threshold: Number(threshold),
      rules: rulesOf(body),
    },
  };
}

function fieldOf(head: readonly string[], name: string): string | undefined {
  const line = head.find((each) => each.toLowerCase().startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim();
}

/** Reads the table in the report, whose long descriptions continue on further lines. */
function rulesOf(report: string): SpamdRule[] {
  const rules: { name: string; points: number; description: string }[] = [];
  const lines = report.split(/\r?\n/);
  const begin = lines.findIndex((line) => /^\s*-{3,}\s+-{3,}/.test(line));
  if (begin < 0) return rules;
  for (const line of lines.slice(begin + 1)) {
    const [, points, name, description = ''] =
      /^\s{0,9}(-?\d{1,6}(?:\.\d{1,4})?)\s+([A-Z_][A-Z0-9_]{1,99})\s*(.*)$/.exec(line) ?? [];
    const last = rules.at(-1);
    if (points !== undefined && name !== undefined) {
      if (rules.length >= MAX_RULES) break;
      rules.push({
        name,
        points: Number(points),
        description: description.slice(0, MAX_DESCRIPTION_LENGTH).trim(),
      });
    } else if (last && /^\s{8,}\S/.test(line)) {
      last.description = `${last.description} ${line.trim()}`.slice(0, MAX_DESCRIPTION_LENGTH).trim();
    } else break;
  }
  return rules;
}

/** The findings of a verdict: that it is spam, and the rules with the most points. */
export function spamdFindings({ isSpam, points, threshold, rules }: SpamdVerdict): RuleFinding[] {
  const findings: RuleFinding[] = [];
  if (isSpam || points >= threshold)
    findings.push({
      rule: 'spamassassin_spam',
      message: `SpamAssassin gives ${points} points; the spam threshold is ${threshold}.`,
      at: null,
      target: 'verdict',
    });
  const significant = rules
    .filter((rule) => rule.points >= MIN_POINTS)
    .sort((one, other) => other.points - one.points)
    .slice(0, MAX_REPORTED_RULES);
  for (const rule of significant) {
    const suffix = rule.description === '' ? '' : `: ${quote(rule.description)}`;
    findings.push({
      rule: 'spamassassin_rule',
      message: `${rule.name} gives ${rule.points} points${suffix}.`,
      at: null,
      target: rule.name,
    });
  }
  return findings;
}
