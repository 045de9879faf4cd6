/**
 * A finding as it is stored and shown (section 4.7): its position in the stored body, a snippet, and a hash of what it
 * points at, which identifies it in later versions.
 */
import { createHash } from 'node:crypto';
import { SourceLines } from '../../../../language/language.js';
import { MAX_FINDINGS } from './bounded-findings.js';
import type { FindingSubject, RuleFinding, SourceEdit } from './finding.js';
import type { RenderClient } from '../rendering/render-client.js';
import { RULES } from '../rules/catalogue.js';
import { FINDING_SEVERITIES, type FindingCategory, type FindingSeverity } from '../rules/rule.js';
import { CLIENTS_OF_RULES } from './clients-of-rules.js';
import { storableText } from './storable-text.js';
import { normalTarget } from './target.js';

export interface StoredFinding {
  readonly code: string;
  readonly category: FindingCategory;
  readonly severity: FindingSeverity;
  readonly title: string;
  readonly message: string;
  readonly fix: string;
  /** Both count from 1 in the stored body; null for what has no position there. */
  readonly line: number | null;
  readonly column: number | null;
  readonly snippet: string | null;
  readonly clients: readonly RenderClient[];
  /**
   * SHA-256 in hex of the code and of what the finding points at, plus a number to distinguish equal ones after the
   * first. It is the same in every version that has the same element.
   */
  readonly target: string;
  /** Edits that fix it in this version; null if there is no mechanical fix. */
  readonly edits: readonly SourceEdit[] | null;
  /** Whether the edits are a guess that the author has to check. */
  readonly isSuggestion: boolean;
  readonly subject: FindingSubject | null;
}

/** Maximum number of bytes of the findings of one run, as JSON. */
const MAX_BYTES = 8 * 1024 * 1024;

export interface StoredFindings {
  readonly findings: readonly StoredFinding[];
  /** The number of findings beyond the bounds, not counting codes that the workspace ignores. */
  readonly omitted: number;
}

/**
 * The findings of a run in display order: most severe first, then by position, those without one first. At most
 * MAX_FINDINGS and MOST_BYTES are stored.
 * @param source the stored body.
 * @param snoozedCodes codes that the workspace ignores. Their findings are stored within separate bounds, in case the
 *   workspace stops ignoring them.
 */
export function storedFindings(
  findings: readonly RuleFinding[],
  source: string,
  snoozedCodes: readonly string[] = [],
): StoredFindings {
  const lines = new SourceLines(source);
  const ignoredCodes = new Set(snoozedCodes);
  const reportedBudget = { rows: MAX_FINDINGS, bytes: MAX_BYTES };
  const ignoredBudget = { ...reportedBudget };
  const duplicates = new DuplicateNumbers();
  const rows: StoredFinding[] = [];
  let omitted = 0;
  const sorted = findings
    .map((finding) => ({ finding, offset: offsetOf(finding, lines) }))
    .sort((a, b) => severityRank(a.finding) - severityRank(b.finding) || (a.offset ?? -1) - (b.offset ?? -1));
  for (const { finding, offset } of sorted) {
    const isIgnored = ignoredCodes.has(RULES[finding.rule].code);
    const budget = isIgnored ? ignoredBudget : reportedBudget;
    if (budget.rows <= 0 || budget.bytes <= 0) {
      omitted += isIgnored ? 0 : 1;
      continue;
    }
    const row = storedFinding(finding, offset, source, lines, duplicates);
    budget.rows--;
    budget.bytes -= Buffer.byteLength(JSON.stringify(row));
    rows.push(row);
  }
  return { findings: rows, omitted };
}

function severityRank({ rule }: RuleFinding): number {
  return FINDING_SEVERITIES.indexOf(RULES[rule].severity);
}

function offsetOf({ at }: RuleFinding, lines: SourceLines): number | null {
  return at === null || typeof at === 'number' ? at : lines.offsetOf(at);
}

function storedFinding(
  finding: RuleFinding,
  offset: number | null,
  source: string,
  lines: SourceLines,
  duplicates: DuplicateNumbers,
): StoredFinding {
  const { code, category, severity, title, fix } = RULES[finding.rule];
  const position = offset === null ? null : lines.positionOf(offset);
  return {
    code,
    category,
    severity,
    title,
    message: storableText(finding.message),
    fix,
    line: position?.line ?? null,
    column: position?.column ?? null,
    snippet: offset === null ? null : storableText(snippetOf(source, offset, finding.until)),
    clients: finding.clients ?? CLIENTS_OF_RULES[finding.rule] ?? [],
    target: hashOf(duplicates.numbered(`${code}\n${normalTarget(finding, offset, source)}`, finding, offset)),
    edits: finding.edits && finding.edits.length > 0 ? finding.edits.map(storableEdit) : null,
    isSuggestion: finding.isSuggestion ?? false,
    subject: finding.subject ?? null,
  };
}

function storableEdit({ start, end, text }: SourceEdit): SourceEdit {
  return { start, end, text: storableText(text) };
}

/**
 * Distinguishes elements with equal text by their order; two findings of the same code at the same position are one.
 */
class DuplicateNumbers {
  private readonly positions = new Map<string, Map<string, number>>();

  numbered(target: string, { message }: RuleFinding, offset: number | null): string {
    const positions = this.positions.get(target) ?? new Map<string, number>();
    this.positions.set(target, positions);
    const position = `${offset ?? ''} ${message}`;
    const number = positions.get(position) ?? positions.size + 1;
    positions.set(position, number);
    return number === 1 ? target : `${target}\n#${number}`;
  }
}

function hashOf(target: string): string {
  return createHash('sha256').update(target).digest('hex');
}

/** Longest snippet in characters. */
export const MAX_SNIPPET_LENGTH = 1_000;
/** Characters of the same line that are shown before and after an element. */
const CONTEXT_LENGTH = 200;

/**
 * The part of a stored body that is shown with a finding: its element, with the line that contains it.
 * @param at offset of what the finding points at.
 * @param until offset after it, if known.
 */
function snippetOf(source: string, at: number, until = at): string {
  const end = Math.max(at, until);
  const before = source.slice(Math.max(0, at - CONTEXT_LENGTH), at);
  const lead = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1);
  const remaining = MAX_SNIPPET_LENGTH - (end - at);
  const start = lead.length <= remaining ? at - lead.length : at;
  const trail = /^[^\r\n]*/.exec(source.slice(end, end + CONTEXT_LENGTH))?.[0] ?? '';
  return source.slice(start, Math.min(end + trail.length, start + MAX_SNIPPET_LENGTH)).toWellFormed();
}
