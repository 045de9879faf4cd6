/**
 * Draws a report's chart as SVG without a browser, so that pages, images and emails show the same. It contains no
 * scripts, styles or URLs, and has a text description for screen readers.
 */
import type { ReportData } from '../report-data.js';
import { shownText } from '../shown-text.js';
import { chartInWords, emptyWords } from './chart-words.js';
import { chartModel, type ChartModel, type ChartPanel } from './chart-model.js';
import { coloursOf, type ChartTheme } from './chart-theme.js';
import { drawLegend, type LegendEntry } from './legend.js';
import { drawColumns } from './columns.js';
import { drawLines } from './lines.js';
import { FONT_SIZE, Paper } from './paper.js';
import { drawPie } from './pie.js';
import { BELOW, labelWidth } from './plot.js';
import { drawRows } from './rows.js';
import { xml } from './svg-text.js';

export interface ChartOptions {
  /** In pixels; the font size is 12. */
  readonly width: number;
  readonly height: number;
  /** `auto` takes its colours from the page's CSS variables (CHART_VARIABLES). */
  readonly theme: ChartTheme;
}

const FONTS = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const LONGEST_TITLE = 200;
const LINE = 18;
const GAP = 18;
/** Around a chart that is not part of a page; a page has its own margin. */
const MARGIN = 10;

/** @returns an empty string for a report with the chart type table. */
export function chartSvg(data: ReportData, { width, height, theme }: ChartOptions): string {
  if (data.chartType === 'table') return '';
  const model = chartModel(data);
  const paper = new Paper(coloursOf(theme), `chart${width}`);
  const margin = theme === 'auto' ? 0 : MARGIN;
  if (model)
    paper.shifted(margin, margin, () =>
      drawModel(paper, model, { width: width - 2 * margin, height: height - 2 * margin }),
    );
  else
    paper.text(emptyWords(data), {
      x: width / 2,
      y: height / 2,
      anchor: 'middle',
      colour: paper.colours.soft,
      size: 14,
    });
  const ground =
    theme === 'auto' ? '' : `<rect width="${width}" height="${height}" fill="${paper.colours.ground}"/>`;
  const { title, description } = chartInWords(data, model);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" ` +
    `aria-labelledby="${paper.id}-title ${paper.id}-words" font-family="${FONTS}" font-size="${FONT_SIZE}">` +
    `<title id="${paper.id}-title">${xml(shownText(title, LONGEST_TITLE))}</title>` +
    `<desc id="${paper.id}-words">${xml(description)}</desc>${ground}${paper.drawn()}</svg>`
  );
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function drawModel(paper: Paper, model: ChartModel, { width, height }: Size): void {
  let top = 4;
  if (model.heading !== null) {
    paper.text(model.heading, { x: 0, y: top + 11, colour: paper.colours.text, weight: 600, room: width });
    top += LINE + 4;
  }
  let bottom = height;
  for (const note of model.notes.slice(0, 3).reverse()) {
    bottom -= LINE;
    paper.text(`${note}.`, { x: 0, y: bottom + 13, colour: paper.colours.soft, size: 11, room: width });
  }
  if (model.shape === 'pie') {
    const [panel] = model.panels;
    if (panel) drawPie(paper, panel, { x: 0, y: top, width, height: bottom - top });
    return;
  }
  top += drawLegend(paper, legendOf(model), { x: 0, y: top, width });
  const drawn = { x: 0, y: top, width, height: bottom - top - 2 };
  if (model.shape === 'rows') drawRows(paper, model.panels, drawn);
  else drawOverTime(paper, model, drawn);
}

/** Draws panels below each other along the same time axis. */
function drawOverTime(
  paper: Paper,
  { panels, shape }: ChartModel,
  { x, y, width, height }: Size & { readonly x: number; readonly y: number },
): void {
  // Only the last panel has the labels of the points below it.
  const each = (height - BELOW - GAP * (panels.length - 1)) / panels.length;
  const widest = Math.max(...panels.map((panel) => labelWidth(panel, each, shape !== 'lines')));
  let first = 0;
  panels.forEach((panel, index) => {
    const isLast = index === panels.length - 1;
    const place = { x, y: y + index * (each + GAP), width, height: each + (isLast ? BELOW : 0) };
    const draw = shape === 'columns' ? drawColumns : drawLines;
    draw(paper, panel, place, { first, isArea: shape === 'areas', labelWidth: widest, isNamed: isLast });
    first += panel.series.length;
  });
}

function legendOf({ panels, shape }: ChartModel): LegendEntry[] {
  const series = panels.flatMap((panel) => panel.series);
  const swatch =
    shape === 'lines' || (shape === 'areas' && !panels.some((panel) => panel.isStacked)) ? 'line' : 'box';
  const isAlone =
    series.length === 1 ||
    (shape === 'rows' &&
      panels.every((panel) => panel.series.length === 1 && panel.series[0]?.label === 'This period'));
  const isCompared = panels.some((panel) => hasBefore(panel));
  const isMarked = series.some(({ marked }) => marked.length > 0);
  return [
    ...(isAlone && !isCompared && !isMarked && shape === 'rows'
      ? []
      : (isAlone ? series.slice(0, 1) : series).map(
          ({ label, isRest }, index) =>
            ({
              label,
              kind: swatch,
              index: isRest ? null : index,
            }) as const,
        )),
    ...(isCompared ? [{ label: 'Previous period', kind: 'before', index: null } as const] : []),
    ...(isMarked ? [{ label: 'Unusual; the usual range in grey', kind: 'mark', index: null } as const] : []),
  ];
}

function hasBefore({ series }: ChartPanel): boolean {
  return series.some(({ before }) => before?.some((value) => value !== null) ?? false);
}
