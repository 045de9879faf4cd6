/**
 * Removes findings that other checks of a run have reported, such as findings of a rendering that repeat one of the
 * source (section 4.7: checks content and rendering). A fault of an element is reported once, by the rule that
 * preflight uses too.
 */
import { countUpTo } from '../../../../kernel/sorted.js';
import type { RuleFinding } from './finding.js';
import type { RuleName } from '../rules/catalogue.js';

/** Rules of a rendering, each with the rules of the source that report the same fault, at no lower severity. */
const REPEATED_RULES: ReadonlyMap<RuleName, readonly RuleName[]> = new Map<RuleName, readonly RuleName[]>([
  ['clipped_by_gmail', ['size_clipped']],
  ['styles_lost', ['css_dropped_by_gmail', 'style_long', 'style_nested_at_rule']],
  ['text_unreadable', ['contrast_low']],
  ['text_small_as_shown', ['text_tiny']],
  ['image_leaves_gap', ['image_without_alt']],
  ['link_shows_nothing', ['link_unnamed']],
]);

/** The findings of all checks of a run without repetitions. */
export function withoutRepeatedFindings(findings: readonly RuleFinding[]): RuleFinding[] {
  const positions = new Map<RuleName, RulePositions>();
  for (const { rule, at } of findings) {
    const known = positions.get(rule) ?? { offsets: [], concernsWholeMessage: false };
    positions.set(rule, known);
    if (typeof at === 'number') known.offsets.push(at);
    else known.concernsWholeMessage ||= at === null;
  }
  for (const { offsets } of positions.values()) offsets.sort((a, b) => a - b);
  return findings.filter(
    (finding) =>
      !(REPEATED_RULES.get(finding.rule) ?? []).some((rule) =>
        hasFindingWithin(positions.get(rule), finding),
      ),
  );
}

/** The positions of a rule's findings. */
interface RulePositions {
  readonly offsets: number[];
  /** Whether one of them concerns the whole message. */
  concernsWholeMessage: boolean;
}

/** Whether another finding lies in the element of this one, or both concern the whole message. */
function hasFindingWithin(others: RulePositions | undefined, { at, until }: RuleFinding): boolean {
  if (!others) return false;
  if (at === null) return others.concernsWholeMessage;
  if (typeof at !== 'number') return false;
  const countUpToOffset = (offset: number): number => countUpTo(others.offsets, offset, (offset) => offset);
  return countUpToOffset(until ?? at) > countUpToOffset(at - 1);
}

/**
 * Deduplicates the findings of several checks of a run about one element; the first check wins. For example, a private
 * address is found by its form and again by requesting it.
 * @param checks the findings of each check, in the order of the checks.
 */
export function deduplicatedFindings(checks: readonly (readonly RuleFinding[])[]): RuleFinding[] {
  const reportedKeys = new Set<string>();
  return checks.flatMap((findings) => {
    const fresh = findings.filter((finding) => !reportedKeys.has(keyOf(finding) ?? ''));
    for (const finding of fresh) {
      const key = keyOf(finding);
      if (key !== null) reportedKeys.add(key);
    }
    return fresh;
  });
}

/** Null for what concerns the whole message. */
function keyOf({ rule, at }: RuleFinding): string | null {
  return typeof at === 'number' ? `${rule} at ${at}` : null;
}
