/**
 * Merges the findings in the author's source and in its rendering into one list (section 4.7): each at its element in
 * the stored body, without duplicates. A finding in the source is not repeated for the rendering.
 */
import { SourceLines } from '../../../../language/language.js';
import type { SourcePiece } from './analysis.js';
import type { ElementPlaces } from '../email/element-places.js';
import type { RuleFinding } from '../findings/finding.js';
import type { RuleName } from '../rules/catalogue.js';
import { pieceAt, sourceOffset } from './source-place.js';

/** A finding whose position, if it has one, is an offset in the stored body. */
export type PlacedFinding = RuleFinding & { readonly at: number | null };

/**
 * The rules that may report a finding without a position in a rendering. All other findings about a whole document come
 * from the source.
 */
const OF_A_RENDERING: ReadonlySet<RuleName> = new Set(['body_empty', 'image_only', 'too_complex']);

/** Maximum number of characters of a text that is not an element; less if a tag begins earlier. */
const LONGEST_PLACE = 1_000;

/** Findings in the source, each at its element. */
export function placedFindings(
  findings: readonly RuleFinding[],
  bodyHtml: string,
  elements: ElementPlaces,
): PlacedFinding[] {
  const lines = new SourceLines(bodyHtml);
  return findings.map((finding): PlacedFinding => {
    if (finding.at === null) return { ...finding, at: null };
    const at = typeof finding.at === 'number' ? finding.at : lines.offsetOf(finding.at);
    return atElement(finding, at, bodyHtml, elements);
  });
}

function atElement(
  finding: RuleFinding,
  offset: number,
  source: string,
  elements: ElementPlaces,
): PlacedFinding {
  const element = elements.at(offset);
  const at = element?.offset ?? offset;
  const until = element?.end ?? finding.until ?? endOfPlace(source, at);
  return { ...finding, at, until };
}

/** Where the tag or text that begins at the offset ends. */
function endOfPlace(source: string, at: number): number {
  const rest = source.slice(at, at + LONGEST_PLACE);
  const [place] = (rest.startsWith('<') ? /^<[^<>]*>/.exec(rest) : null) ?? /^.[^<]*/s.exec(rest) ?? [''];
  return at + place.trimEnd().length;
}

/** The findings in the rendering, and the positions of its parts in the stored body. */
export interface RenderedFindings {
  readonly findings: readonly RuleFinding[];
  readonly elements: ElementPlaces;
  readonly pieces: readonly SourcePiece[];
}

/** The findings of the source, and those of the rendering that the source does not have. */
export function joinedFindings(
  ofSource: readonly PlacedFinding[],
  rendered: RenderedFindings,
  bodyHtml: string,
  elements: ElementPlaces,
): PlacedFinding[] {
  const told = new Set(
    ofSource.flatMap((finding) => [placeKey(finding), targetKey(finding), messageKey(finding)]),
  );
  const added: PlacedFinding[] = [];
  for (const finding of rendered.findings) {
    const placed = mapped(finding, rendered, bodyHtml, elements);
    if (!placed || told.has(placeKey(placed))) continue;
    // A finding with a target is identified by it; the start of a text shifts once values are inserted.
    if (finding.target !== undefined && told.has(targetKey(finding))) continue;
    if ((placed.at === null || !elements.at(placed.at)) && told.has(messageKey(placed))) continue;
    told.add(placeKey(placed));
    added.push(placed);
  }
  return [...ofSource, ...added];
}

function placeKey({ rule, at, part }: PlacedFinding): string {
  return `${rule} at ${at ?? 'none'} ${part ?? ''}`;
}

function targetKey({ rule, target }: RuleFinding): string {
  return `${rule} of ${target ?? ''}`;
}

/** The message without its numbers; quotations are kept. */
function messageKey({ rule, message }: RuleFinding): string {
  const words = message.replace(/“[^”]*”|\d[\d.,]*( times)?|\bonce\b/g, (part) =>
    part.startsWith('“') ? part : '#',
  );
  return `${rule} says ${words}`;
}

/** Null for what the rendering must not report. */
function mapped(
  finding: RuleFinding,
  { elements: renderedElements, pieces }: RenderedFindings,
  bodyHtml: string,
  elements: ElementPlaces,
): PlacedFinding | null {
  if (typeof finding.at !== 'number')
    return finding.at === null && OF_A_RENDERING.has(finding.rule) ? { ...finding, at: null } : null;
  const place = renderedElements.at(finding.at)?.offset ?? finding.at;
  // Text that does not come from text of the source was checked in the source.
  if (pieceAt(pieces, place)?.isText !== true) return null;
  const at = sourceOffset(pieces, place);
  const { until: end, target: _target, edits: _edits, ...rest } = finding;
  const until = end === undefined ? at : sourceOffset(pieces, end - 1) + 1;
  return atElement(until > at ? { ...rest, until } : rest, at, bodyHtml, elements);
}
