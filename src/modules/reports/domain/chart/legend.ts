/** The legend of a chart: entries in a row, wrapped onto as many lines as needed. */
import type { SvgCanvas } from './svg-canvas.js';
import { truncateToWidth, widthOf } from './svg-text.js';

export interface LegendEntry {
  readonly label: string;
  readonly kind: 'line' | 'box' | 'before' | 'mark';
  /** Index of the series; null for the rest, and for symbols that belong to no series. */
  readonly index: number | null;
}

const SIZE = 12;
const SWATCH = 22;
const ENTRY_GAP = 16;
const LINE_HEIGHT = 19;
const MAX_LINES = 6;
const MAX_LABEL_WIDTH = 230;

/** @returns its height; 0 without entries. */
export function drawLegend(
  canvas: SvgCanvas,
  entries: readonly LegendEntry[],
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): number {
  if (entries.length === 0) return 0;
  let [left, line] = [x, 0];
  for (const { label, kind, index } of entries) {
    const fittedLabel = truncateToWidth(label, SIZE, Math.min(MAX_LABEL_WIDTH, width - SWATCH - 6));
    const needed = SWATCH + 6 + widthOf(fittedLabel, SIZE);
    if (left > x && left + needed > x + width) [left, line] = [x, line + 1];
    if (line >= MAX_LINES) break;
    const middle = y + line * LINE_HEIGHT + 8;
    drawSwatch(canvas, kind, index, left, middle);
    canvas.text(fittedLabel, {
      x: left + SWATCH + 6,
      y: middle + 4,
      colour: canvas.colours.text,
      size: SIZE,
    });
    left += needed + ENTRY_GAP;
  }
  return (Math.min(line, MAX_LINES - 1) + 1) * LINE_HEIGHT + 10;
}

function drawSwatch(
  canvas: SvgCanvas,
  kind: LegendEntry['kind'],
  index: number | null,
  x: number,
  y: number,
): void {
  const { soft } = canvas.colours;
  switch (kind) {
    case 'line':
      canvas.line([x, y], [x + SWATCH, y], { colour: canvas.colourOf(index), width: 2 });
      canvas.marker(index, x + SWATCH / 2, y);
      return;
    case 'box':
      canvas.bar(x + 6, y - 6, 12, 12, canvas.fillOf(index));
      return;
    case 'before':
      canvas.line([x, y], [x + SWATCH, y], { colour: soft, width: 1.5, dashes: '4 3' });
      return;
    case 'mark':
      canvas.line([x + SWATCH / 2, y - 9], [x + SWATCH / 2, y + 9], {
        colour: soft,
        width: 5,
        opacity: 0.35,
      });
      canvas.mark(x + SWATCH / 2, y);
  }
}
