/**
 * Merges the findings in the author's source and in its rendering into one list (section 4.7): each at its element in
 * the stored body, without duplicates. A finding in the source is not repeated for the rendering.
 */
import { SourceLines } from '../../../../language/language.js';
import type { SourcePiece } from './analysis.js';
import type { ElementPositions } from '../email/element-positions.js';
import type { RuleFinding } from '../findings/finding.js';
import type { RuleName } from '../rules/catalogue.js';
import { pieceAt, sourceOffset } from './source-offset.js';

/** A finding whose position, if it has one, is an offset in the stored body. */
export type PositionedFinding = RuleFinding & { readonly at: number | null };

/**
 * The rules that may report a finding without a position in a rendering. All other findings about a whole document come
 * from the source.
 */
const WHOLE_RENDERING_RULES: ReadonlySet<RuleName> = new Set(['body_empty', 'image_only', 'too_complex']);

/** Maximum number of characters of a text that is not an element; less if a tag begins earlier. */
const MAX_TEXT_LENGTH = 1_000;

/** Findings in the source, each at its element. */
export function positionedFindings(
  findings: readonly RuleFinding[],
  bodyHtml: string,
  elements: ElementPositions,
): PositionedFinding[] {
  const lines = new SourceLines(bodyHtml);
  return findings.map((finding): PositionedFinding => {
    if (finding.at === null) return { ...finding, at: null };
    const at = typeof finding.at === 'number' ? finding.at : lines.offsetOf(finding.at);
    return positionedAtElement(finding, at, bodyHtml, elements);
  });
}

function positionedAtElement(
  finding: RuleFinding,
  offset: number,
  source: string,
  elements: ElementPositions,
): PositionedFinding {
  const element = elements.at(offset);
  const at = element?.offset ?? offset;
  const until = element?.end ?? finding.until ?? endOfTagOrText(source, at);
  return { ...finding, at, until };
}

/** Where the tag or text that begins at the offset ends. */
function endOfTagOrText(source: string, at: number): number {
  const rest = source.slice(at, at + MAX_TEXT_LENGTH);
  const [match] = (rest.startsWith('<') ? /^<[^<>]*>/.exec(rest) : null) ?? /^.[^<]*/s.exec(rest) ?? [''];
  return at + match.trimEnd().length;
}

/** The findings in the rendering, and the positions of its parts in the stored body. */
export interface RenderedFindings {
  readonly findings: readonly RuleFinding[];
  readonly elements: ElementPositions;
  readonly pieces: readonly SourcePiece[];
}

/** The findings of the source, and those of the rendering that the source does not have. */
export function joinedFindings(
  ofSource: readonly PositionedFinding[],
  rendered: RenderedFindings,
  bodyHtml: string,
  elements: ElementPositions,
): PositionedFinding[] {
  const reportedKeys = new Set(
    ofSource.flatMap((finding) => [positionKey(finding), targetKey(finding), messageKey(finding)]),
  );
  const added: PositionedFinding[] = [];
  for (const finding of rendered.findings) {
    const positioned = mapped(finding, rendered, bodyHtml, elements);
    if (!positioned || reportedKeys.has(positionKey(positioned))) continue;
    // A finding with a target is identified by it; the start of a text shifts once values are inserted.
    if (finding.target !== undefined && reportedKeys.has(targetKey(finding))) continue;
    if ((positioned.at === null || !elements.at(positioned.at)) && reportedKeys.has(messageKey(positioned)))
      continue;
    reportedKeys.add(positionKey(positioned));
    added.push(positioned);
  }
  return [...ofSource, ...added];
}

function positionKey({ rule, at, part }: PositionedFinding): string {
  return `${rule} at ${at ?? 'none'} ${part ?? ''}`;
}

function targetKey({ rule, target }: RuleFinding): string {
  return `${rule} of ${target ?? ''}`;
}

/** The message without its numbers; quotations are kept. */
function messageKey({ rule, message }: RuleFinding): string {
  const text = message.replace(/“[^”]*”|\d[\d.,]*( times)?|\bonce\b/g, (part) =>
    part.startsWith('“') ? part : '#',
  );
  return `${rule} says ${text}`;
}

/** Null for what the rendering must not report. */
function mapped(
  finding: RuleFinding,
  { elements: renderedElements, pieces }: RenderedFindings,
  bodyHtml: string,
  elements: ElementPositions,
): PositionedFinding | null {
  if (typeof finding.at !== 'number')
    return finding.at === null && WHOLE_RENDERING_RULES.has(finding.rule) ? { ...finding, at: null } : null;
  const renderedOffset = renderedElements.at(finding.at)?.offset ?? finding.at;
  // Text that does not come from text of the source was checked in the source.
  if (pieceAt(pieces, renderedOffset)?.isText !== true) return null;
  const at = sourceOffset(pieces, renderedOffset);
  const { until: end, target: _target, edits: _edits, ...rest } = finding;
  const until = end === undefined ? at : sourceOffset(pieces, end - 1) + 1;
  return positionedAtElement(until > at ? { ...rest, until } : rest, at, bodyHtml, elements);
}
