/** Edits of a stored body put into effect: what mends several findings at once. */
import type { SourceEdit } from '../findings/finding.js';

/** Findings that are mended at once. */
export const MOST_FIXES = 100;

/**
 * The source with all edits made. Equal ones are made once; of two that overlap the one that begins first is made, and one
 * that reaches beyond the source is not.
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

/** What would mend one finding. */
export interface Fix {
  readonly id: string;
  readonly edits: readonly SourceEdit[];
}

/** The fixes that go together, in their order: of two that overlap the first, and none that reaches beyond the source. */
export function fittingFixes<Each extends Fix>(source: string, fixes: readonly Each[]): Each[] {
  let taken: readonly SourceEdit[] = [];
  return fixes.filter(({ edits }) => {
    const together = [...taken, ...edits].sort((a, b) => a.start - b.start || a.end - b.end);
    if (!areApart(together, source.length)) return false;
    taken = together;
    return true;
  });
}

/** Insertions at one place are, and so are equal edits, which are made once. */
function areApart(sorted: readonly SourceEdit[], length: number): boolean {
  let last: SourceEdit | null = null;
  for (const edit of sorted) {
    const { start, end, text } = edit;
    const isSame = last?.start === start && last.end === end && last.text === text;
    if (end < start || end > length || (!isSame && start < (last?.end ?? 0))) return false;
    last = edit;
  }
  return true;
}
