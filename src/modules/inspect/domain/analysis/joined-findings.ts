/**
 * Findings in what an author wrote and in what was rendered of it, told in one list (section 4.7): each at the element in
 * the stored body that it is about, none twice. What the source already says is not said again of the rendering.
 */
import { SourceLines } from '../../../../language/language.js';
import type { SourcePiece } from './analysis.js';
import type { ElementPlaces } from '../email/element-places.js';
import type { RuleFinding } from '../findings/finding.js';
import type { RuleName } from '../rules/catalogue.js';
import { pieceAt, sourceOffset } from './source-place.js';

/** A finding whose place, if it has one, is an offset in the stored body. */
export type PlacedFinding = RuleFinding & { readonly at: number | null };

/** What a rendering without a place of its own may say that no source can: all else of a whole document is the source's. */
const OF_A_RENDERING: ReadonlySet<RuleName> = new Set(['body_empty', 'image_only', 'too_complex']);

/** Characters of a text that is no element, at most; less where a tag begins. */
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

/** Where a tag ends, or the text that begins there. */
function endOfPlace(source: string, at: number): number {
  const rest = source.slice(at, at + LONGEST_PLACE);
  const [place] = (rest.startsWith('<') ? /^<[^<>]*>/.exec(rest) : null) ?? /^.[^<]*/s.exec(rest) ?? [''];
  return at + place.trimEnd().length;
}

/** What was rendered, and where its parts stand in the stored body. */
export interface RenderedFindings {
  readonly findings: readonly RuleFinding[];
  readonly elements: ElementPlaces;
  readonly pieces: readonly SourcePiece[];
}

/** The findings of the source, and those of the rendering that it does not know. */
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
    // What names its target is known by it; where a text begins is another matter once values stand in it.
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

/** Words without counts; what is quoted stays. */
function messageKey({ rule, message }: RuleFinding): string {
  const words = message.replace(/“[^”]*”|\d[\d.,]*( times)?|\bonce\b/g, (part) =>
    part.startsWith('“') ? part : '#',
  );
  return `${rule} says ${words}`;
}

/** Null for what the rendering is not to say. */
function mapped(
  finding: RuleFinding,
  { elements: renderedElements, pieces }: RenderedFindings,
  bodyHtml: string,
  elements: ElementPlaces,
): PlacedFinding | null {
  if (typeof finding.at !== 'number')
    return finding.at === null && OF_A_RENDERING.has(finding.rule) ? { ...finding, at: null } : null;
  const place = renderedElements.at(finding.at)?.offset ?? finding.at;
  // What stands in a text that was made of something else is examined in the source.
  if (pieceAt(pieces, place)?.isText !== true) return null;
  const at = sourceOffset(pieces, place);
  const { until: end, target: _target, edits: _edits, ...rest } = finding;
  const until = end === undefined ? at : sourceOffset(pieces, end - 1) + 1;
  return atElement(until > at ? { ...rest, until } : rest, at, bodyHtml, elements);
}
