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
  const taken: SourceEdit[] = [];
  return fixes.filter(({ edits }) => {
    const fits = edits.every(
      (edit) =>
        edit.start <= edit.end && edit.end <= source.length && !taken.some((other) => overlap(edit, other)),
    );
    if (fits) taken.push(...edits);
    return fits;
  });
}

/** Insertions at one place do not, nor do equal ones, which are made once. */
function overlap(one: SourceEdit, other: SourceEdit): boolean {
  if (one.start === other.start && one.end === other.end)
    return one.start !== one.end && one.text !== other.text;
  return one.start < other.end && other.start < one.end;
}
