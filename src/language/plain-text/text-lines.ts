/**
 * Cleans up the lines of a plain text before its expressions are restored: nested layout tables leave many blank lines,
 * and a condition or loop on a separate line would leave a blank line in every rendering.
 */

/** The kind of a marked expression: `o` opens a block, `e` continues it, `c` closes it; `v` is a value. */
export type MarkKind = 'o' | 'e' | 'c' | 'v';

const BLANK = /^[\s\u00a0\u00ad\u034f\u200b-\u200f\u2060\ufeff]*$/;

/** Allows at most one blank line in a row, and joins lines that contain only block marks to the next line. */
export function tidyLines(text: string, mark: string): string {
  const steering = new RegExp(`${mark}([oec])\\d+${mark}`, 'g');
  const standing: boolean[] = [];
  let tidy = '';
  /** Line breaks after the last line, and how many of them can be omitted. */
  let breaks = 0;
  let written = Infinity;
  for (const line of text.split('\n')) {
    const steers = line.includes(mark) ? [...line.matchAll(steering)] : [];
    if (steers.length === 0 && BLANK.test(line)) {
      breaks++;
      continue;
    }
    const isAlone = steers.length > 0 && BLANK.test(line.replace(steering, ''));
    let mayJoin = isAlone;
    for (const [, kind] of steers) {
      if (kind === 'o') standing.push(isAlone);
      // If a block started within a line, its end keeps the line break that the block may remove with it.
      else mayJoin &&= standing.at(-1) ?? true;
      if (kind === 'c') standing.pop();
    }
    const missing = Math.max(Math.min(breaks, 2) - written, 0);
    tidy += '\n'.repeat(missing) + (isAlone ? steers.map(([one]) => one).join('') : line);
    if (!mayJoin) [breaks, written] = [1, 0];
    else if (steers.at(-1)?.[1] === 'c') [breaks, written] = [1, written + missing];
    else [breaks, written] = [1, Infinity];
  }
  return tidy;
}
