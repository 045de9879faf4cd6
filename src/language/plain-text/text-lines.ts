/**
 * Cleans up the lines of a plain text before its expressions are restored: nested layout tables leave many blank lines,
 * and a condition or loop on a separate line would leave a blank line in every rendering.
 */

/** The kind of a marked expression: `o` opens a block, `e` continues it, `c` closes it; `v` is a value. */
export type MarkKind = 'o' | 'e' | 'c' | 'v';

const BLANK_LINE = /^[\s\u00a0\u00ad\u034f\u200b-\u200f\u2060\ufeff]*$/;

/** Allows at most one blank line in a row, and joins lines that contain only block marks to the next line. */
export function tidyLines(text: string, mark: string): string {
  const controlMark = new RegExp(`${mark}([oec])\\d+${mark}`, 'g');
  const opensOnOwnLine: boolean[] = [];
  let tidy = '';
  /** Line breaks after the last line, and how many of them can be omitted. */
  let breaks = 0;
  let written = Infinity;
  for (const line of text.split('\n')) {
    const controlMarks = line.includes(mark) ? [...line.matchAll(controlMark)] : [];
    if (controlMarks.length === 0 && BLANK_LINE.test(line)) {
      breaks++;
      continue;
    }
    const hasOnlyMarks = controlMarks.length > 0 && BLANK_LINE.test(line.replace(controlMark, ''));
    let mayJoin = hasOnlyMarks;
    for (const [, kind] of controlMarks) {
      if (kind === 'o') opensOnOwnLine.push(hasOnlyMarks);
      // If a block started within a line, its end keeps the line break that the block may remove with it.
      else mayJoin &&= opensOnOwnLine.at(-1) ?? true;
      if (kind === 'c') opensOnOwnLine.pop();
    }
    const missing = Math.max(Math.min(breaks, 2) - written, 0);
    tidy += '\n'.repeat(missing) + (hasOnlyMarks ? controlMarks.map(([one]) => one).join('') : line);
    if (!mayJoin) [breaks, written] = [1, 0];
    else if (controlMarks.at(-1)?.[1] === 'c') [breaks, written] = [1, written + missing];
    else [breaks, written] = [1, Infinity];
  }
  return tidy;
}
