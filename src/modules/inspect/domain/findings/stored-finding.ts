/**
 * A finding as it is stored and shown (section 4.7): its position in the stored body, a snippet, and a hash of what it
 * points at, which identifies it in later versions.
 */
import { createHash } from 'node:crypto';
import { SourceLines } from '../../../../language/language.js';
import { MOST_FINDINGS } from './bounded-findings.js';
import type { FindingSubject, RuleFinding, SourceEdit } from './finding.js';
import type { RenderClient } from '../rendering/render-client.js';
import { RULES } from '../rules/catalogue.js';
import { FINDING_SEVERITIES, type FindingCategory, type FindingSeverity } from '../rules/rule.js';
import { CLIENTS_OF_RULES } from './clients-of-rules.js';
import { snippetOf } from './snippet.js';
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
const MOST_BYTES = 8 * 1024 * 1024;

export interface StoredFindings {
  readonly findings: readonly StoredFinding[];
  /** The number of findings beyond the bounds, not counting codes that the workspace ignores. */
  readonly left: number;
}

/**
 * The findings of a run in display order: most severe first, then by position, those without one first. At most
 * MOST_FINDINGS and MOST_BYTES are stored.
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
  const unheard = new Set(snoozedCodes);
  const heardRoom = { rows: MOST_FINDINGS, bytes: MOST_BYTES };
  const unheardRoom = { ...heardRoom };
  const equals = new Equals();
  const kept: StoredFinding[] = [];
  let left = 0;
  const sorted = findings
    .map((finding) => ({ finding, offset: offsetOf(finding, lines) }))
    .sort((a, b) => gravity(a.finding) - gravity(b.finding) || (a.offset ?? -1) - (b.offset ?? -1));
  for (const { finding, offset } of sorted) {
    const isUnheard = unheard.has(RULES[finding.rule].code);
    const room = isUnheard ? unheardRoom : heardRoom;
    if (room.rows <= 0 || room.bytes <= 0) {
      left += isUnheard ? 0 : 1;
      continue;
    }
    const row = stored(finding, offset, source, lines, equals);
    room.rows--;
    room.bytes -= Buffer.byteLength(JSON.stringify(row));
    kept.push(row);
  }
  return { findings: kept, left };
}

function gravity({ rule }: RuleFinding): number {
  return FINDING_SEVERITIES.indexOf(RULES[rule].severity);
}

function offsetOf({ at }: RuleFinding, lines: SourceLines): number | null {
  return at === null || typeof at === 'number' ? at : lines.offsetOf(at);
}

function stored(
  finding: RuleFinding,
  offset: number | null,
  source: string,
  lines: SourceLines,
  equals: Equals,
): StoredFinding {
  const { code, category, severity, title, fix } = RULES[finding.rule];
  const place = offset === null ? null : lines.positionOf(offset);
  return {
    code,
    category,
    severity,
    title,
    message: storableText(finding.message),
    fix,
    line: place?.line ?? null,
    column: place?.column ?? null,
    snippet: offset === null ? null : storableText(snippetOf(source, offset, finding.until)),
    clients: finding.clients ?? CLIENTS_OF_RULES[finding.rule] ?? [],
    target: hashOf(equals.numbered(`${code}\n${normalTarget(finding, offset, source)}`, finding, offset)),
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
class Equals {
  private readonly places = new Map<string, Map<string, number>>();

  numbered(target: string, { message }: RuleFinding, offset: number | null): string {
    const places = this.places.get(target) ?? new Map<string, number>();
    this.places.set(target, places);
    const place = `${offset ?? ''} ${message}`;
    const number = places.get(place) ?? places.size + 1;
    places.set(place, number);
    return number === 1 ? target : `${target}\n#${number}`;
  }
}

function hashOf(target: string): string {
  return createHash('sha256').update(target).digest('hex');
}
