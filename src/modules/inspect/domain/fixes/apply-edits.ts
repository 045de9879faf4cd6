/** Applies edits to a stored body, to fix several findings together. */
import type { SourceEdit } from '../findings/finding.js';

/** Maximum number of findings that are fixed together. */
export const MAX_FIXES = 100;

/**
 * The source with all edits applied. Equal edits are applied once. Of two that overlap, the one that begins first is
 * applied; an edit that reaches beyond the source is not.
 */
export function applyEdits(source: string, edits: readonly SourceEdit[]): string {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let done = 0;
  let last: SourceEdit | null = null;
  for (const edit of sorted) {
    const { start, end, text } = edit;
    const isSame = last?.start === start && last.end === end && last.text === text;
    if (isSame || start < done || end < start || end > source.length) continue;
    parts.push(source.slice(done, start), text);
    done = end;
    last = edit;
  }
  return parts.join('') + source.slice(done);
}

/** The fix of one finding. */
export interface Fix {
  readonly id: string;
  readonly edits: readonly SourceEdit[];
}

/**
 * The fixes that can be applied together, in their order: of two that overlap the first, and none that reaches beyond
 * the source.
 */
export function compatibleFixes<Each extends Fix>(source: string, fixes: readonly Each[]): Each[] {
  let accepted: readonly SourceEdit[] = [];
  return fixes.filter(({ edits }) => {
    const together = [...accepted, ...edits].sort((a, b) => a.start - b.start || a.end - b.end);
    if (!areDisjoint(together, source.length)) return false;
    accepted = together;
    return true;
  });
}

/**
 * Whether the edits do not overlap and stay within the source. Insertions at the same position do not overlap, nor do
 * equal edits, which are applied once.
 */
function areDisjoint(sorted: readonly SourceEdit[], length: number): boolean {
  let last: SourceEdit | null = null;
  for (const edit of sorted) {
    const { start, end, text } = edit;
    const isSame = last?.start === start && last.end === end && last.text === text;
    if (end < start || end > length || (!isSame && start < (last?.end ?? 0))) return false;
    last = edit;
  }
  return true;
}
