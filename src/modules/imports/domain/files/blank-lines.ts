/** Skips lines without any text, which are not records. */

const SPACE = 0x20;
const RETURN = 0x0d;

/**
 * The index after the blank lines that start at an index; that index itself if its line is not blank, or has no end.
 */
export function skipBlankLines(text: string, start: number, lineBreak: string): number {
  const breaking = lineBreak.charCodeAt(0);
  let end = start;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === breaking) end = at + 1;
    else if (code !== SPACE && code !== RETURN) break;
  }
  return end;
}
