/**
 * Cuts the snippet of a stored body that is shown with a finding (section 4.7): its element, with the line that
 * contains it.
 */

/** Longest snippet in characters. */
export const MAX_SNIPPET_LENGTH = 1_000;
/** Characters of the same line that are shown before and after an element. */
const CONTEXT_LENGTH = 200;

/**
 * @param at offset of what the finding points at.
 * @param until offset after it, if known.
 */
export function snippetOf(source: string, at: number, until = at): string {
  const end = Math.max(at, until);
  const before = source.slice(Math.max(0, at - CONTEXT_LENGTH), at);
  const lead = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1);
  const remaining = MAX_SNIPPET_LENGTH - (end - at);
  const start = lead.length <= remaining ? at - lead.length : at;
  const trail = /^[^\r\n]*/.exec(source.slice(end, end + CONTEXT_LENGTH))?.[0] ?? '';
  return source.slice(start, Math.min(end + trail.length, start + MAX_SNIPPET_LENGTH)).toWellFormed();
}
