/**
 * Deduplicates the findings of several checks of a run about one element (section 4.7); the first check wins. For
 * example, a private address is found by its form and again by requesting it.
 */
import type { RuleFinding } from './finding.js';

/** @param checks the findings of each check, in the order of the checks. */
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
