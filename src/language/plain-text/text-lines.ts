/**
 * Sets the lines of a plain text in order before its expressions come back: nested layout tables leave piles of blank
 * lines, and a condition or loop that has a line to itself would leave one whenever it is rendered.
 */

/** How an expression is marked: what begins a block, goes on with it, ends it; a value. */
export type MarkKind = 'o' | 'e' | 'c' | 'v';

const BLANK = /^[\s\u00a0\u00ad\u034f\u200b-\u200f\u2060\ufeff]*$/;

/** At most one blank line in a row, and lines that hold nothing but marks of blocks joined to the next one. */
export function tidyLines(text: string, mark: string): string {
  const steering = new RegExp(`${mark}([oec])\\d+${mark}`, 'g');
  const standing: boolean[] = [];
  let tidy = '';
  /** Line breaks behind the last line, and how many of them need not be written any more. */
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
      // Where a block began within a line, its end keeps the line break that the block may take with it.
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
