/** The legend of a chart: entries in a row, wrapped onto as many lines as needed. */
import type { Paper } from './paper.js';
import { fitted, widthOf } from './svg-text.js';

export interface LegendEntry {
  readonly label: string;
  readonly kind: 'line' | 'box' | 'before' | 'mark';
  /** Index of the series; null for the rest, and for symbols that belong to no series. */
  readonly index: number | null;
}

const SIZE = 12;
const SWATCH = 22;
const BETWEEN = 16;
const LINE = 19;
const MOST_LINES = 6;
const LONGEST = 230;

/** @returns its height; 0 without entries. */
export function drawLegend(
  paper: Paper,
  entries: readonly LegendEntry[],
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): number {
  if (entries.length === 0) return 0;
  let [left, line] = [x, 0];
  for (const { label, kind, index } of entries) {
    const shown = fitted(label, SIZE, Math.min(LONGEST, width - SWATCH - 6));
    const needed = SWATCH + 6 + widthOf(shown, SIZE);
    if (left > x && left + needed > x + width) [left, line] = [x, line + 1];
    if (line >= MOST_LINES) break;
    const middle = y + line * LINE + 8;
    drawSwatch(paper, kind, index, left, middle);
    paper.text(shown, { x: left + SWATCH + 6, y: middle + 4, colour: paper.colours.text, size: SIZE });
    left += needed + BETWEEN;
  }
  return (Math.min(line, MOST_LINES - 1) + 1) * LINE + 10;
}

function drawSwatch(
  paper: Paper,
  kind: LegendEntry['kind'],
  index: number | null,
  x: number,
  y: number,
): void {
  const { soft } = paper.colours;
  switch (kind) {
    case 'line':
      paper.line([x, y], [x + SWATCH, y], { colour: paper.colourOf(index), width: 2 });
      paper.marker(index, x + SWATCH / 2, y);
      return;
    case 'box':
      paper.bar(x + 6, y - 6, 12, 12, paper.fillOf(index));
      return;
    case 'before':
      paper.line([x, y], [x + SWATCH, y], { colour: soft, width: 1.5, dashes: '4 3' });
      return;
    case 'mark':
      paper.line([x + SWATCH / 2, y - 9], [x + SWATCH / 2, y + 9], { colour: soft, width: 5, opacity: 0.35 });
      paper.mark(x + SWATCH / 2, y);
  }
}
