/**
 * Converts offsets to lines and columns, because authors find an error by its line. Built on first use per template,
 * then answered by binary search.
 */
import type { Position } from './tree.js';

/** Finds lines in one source. A line ends with LF, CR or CRLF. */
export class SourceLines {
  private starts: number[] | null = null;

  constructor(private readonly source: string) {}

  /** The position of `offset`, which may be the end of the source. */
  positionOf(offset: number): Position {
    const starts = (this.starts ??= lineStarts(this.source));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { offset, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  /** The offset of a line and column, which count from 1; that of the nearest existing position if there is none. */
  offsetOf({ line, column }: Pick<Position, 'line' | 'column'>): number {
    const starts = (this.starts ??= lineStarts(this.source));
    const start = starts[Math.min(Math.max(line, 1), starts.length) - 1] ?? 0;
    return Math.min(start + Math.max(column, 1) - 1, this.source.length);
  }
}

function lineStarts(source: string): number[] {
  const starts = [0];
  for (const match of source.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return starts;
}
