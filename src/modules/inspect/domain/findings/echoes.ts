/**
 * What a rendering shows again of what the source was told of (section 4.7: checks content and rendering): the same element
 * for the same reason is told once, by the rule that preflight tells too.
 */
import type { RuleFinding } from './finding.js';
import type { RuleName } from '../rules/catalogue.js';

/** Rules of a rendering, and those of the source that say the same; none of these weighs less. */
const ECHOES: ReadonlyMap<RuleName, readonly RuleName[]> = new Map<RuleName, readonly RuleName[]>([
  ['clipped_by_gmail', ['size_clipped']],
  ['styles_lost', ['css_dropped_by_gmail', 'style_long', 'style_nested_at_rule']],
  ['text_unreadable', ['contrast_low']],
  ['text_small_as_shown', ['text_tiny']],
  ['image_leaves_gap', ['image_without_alt']],
  ['link_shows_nothing', ['link_unnamed']],
]);

/** The findings of all checks of a run without echoes. */
export function withoutEchoes(findings: readonly RuleFinding[]): RuleFinding[] {
  const told = new Map<RuleName, RuleFinding[]>();
  for (const finding of findings) {
    const same = told.get(finding.rule);
    if (same) same.push(finding);
    else told.set(finding.rule, [finding]);
  }
  return findings.filter((finding) => {
    const sources = (ECHOES.get(finding.rule) ?? []).flatMap((rule) => told.get(rule) ?? []);
    return !sources.some((source) => isWithin(source, finding));
  });
}

/** Whether one finding stands in the element of another, or both are of the whole message. */
function isWithin({ at: inner }: RuleFinding, { at, until }: RuleFinding): boolean {
  if (at === null || inner === null) return at === inner;
  if (typeof at !== 'number' || typeof inner !== 'number') return false;
  return inner >= at && inner <= (until ?? at);
}
