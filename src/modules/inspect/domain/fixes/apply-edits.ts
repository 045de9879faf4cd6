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
