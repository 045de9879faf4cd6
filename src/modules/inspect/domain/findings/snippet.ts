/**
 * Cuts the snippet of a stored body that is shown with a finding (section 4.7): its element, with the line that
 * contains it.
 */

/** Longest snippet in characters. */
export const LONGEST_SNIPPET = 1_000;
/** Characters of the same line that are shown before and after an element. */
const AROUND = 200;

/**
 * @param at offset of what the finding points at.
 * @param until offset after it, if known.
 */
export function snippetOf(source: string, at: number, until = at): string {
  const end = Math.max(at, until);
  const before = source.slice(Math.max(0, at - AROUND), at);
  const lead = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1);
  const room = LONGEST_SNIPPET - (end - at);
  const start = lead.length <= room ? at - lead.length : at;
  const behind = /^[^\r\n]*/.exec(source.slice(end, end + AROUND))?.[0] ?? '';
  return source.slice(start, Math.min(end + behind.length, start + LONGEST_SNIPPET)).toWellFormed();
}
