/**
 * Draws a report's chart as SVG without a browser, so that pages, images and emails show the same. It contains no
 * scripts, styles or URLs, and has a text description for screen readers.
 */
import type { ReportData } from '../report-data.js';
import { sanitizeText } from '../sanitize-text.js';
import { chartDescription, emptyChartText } from './chart-description.js';
import { chartModel, type ChartModel, type ChartPanel } from './chart-model.js';
import { coloursOf, type ChartTheme } from './chart-theme.js';
import { drawLegend, type LegendEntry } from './legend.js';
import { drawColumns } from './columns.js';
import { drawLines } from './lines.js';
import { FONT_SIZE, SvgCanvas } from './svg-canvas.js';
import { drawPie } from './pie.js';
import { POINT_LABELS_HEIGHT, labelWidth } from './plot.js';
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
const MAX_TITLE_LENGTH = 200;
const LINE_HEIGHT = 18;
const GAP = 18;
/** Around a chart that is not part of a page; a page has its own margin. */
const MARGIN = 10;

/** @returns an empty string for a report with the chart type table. */
export function chartSvg(data: ReportData, { width, height, theme }: ChartOptions): string {
  if (data.chartType === 'table') return '';
  const model = chartModel(data);
  const canvas = new SvgCanvas(coloursOf(theme), `chart${width}`);
  const margin = theme === 'auto' ? 0 : MARGIN;
  if (model)
    canvas.translated(margin, margin, () =>
      drawModel(canvas, model, { width: width - 2 * margin, height: height - 2 * margin }),
    );
  else
    canvas.text(emptyChartText(data), {
      x: width / 2,
      y: height / 2,
      anchor: 'middle',
      colour: canvas.colours.soft,
      size: 14,
    });
  const background =
    theme === 'auto' ? '' : `<rect width="${width}" height="${height}" fill="${canvas.colours.ground}"/>`;
  const { title, description } = chartDescription(data, model);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" ` +
    `aria-labelledby="${canvas.id}-title ${canvas.id}-words" font-family="${FONTS}" font-size="${FONT_SIZE}">` +
    `<title id="${canvas.id}-title">${xml(sanitizeText(title, MAX_TITLE_LENGTH))}</title>` +
    `<desc id="${canvas.id}-words">${xml(description)}</desc>${background}${canvas.content()}</svg>`
  );
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function drawModel(canvas: SvgCanvas, model: ChartModel, { width, height }: Size): void {
  let top = 4;
  if (model.heading !== null) {
    canvas.text(model.heading, {
      x: 0,
      y: top + 11,
      colour: canvas.colours.text,
      weight: 600,
      maxWidth: width,
    });
    top += LINE_HEIGHT + 4;
  }
  let bottom = height;
  for (const note of model.notes.slice(0, 3).reverse()) {
    bottom -= LINE_HEIGHT;
    canvas.text(`${note}.`, { x: 0, y: bottom + 13, colour: canvas.colours.soft, size: 11, maxWidth: width });
  }
  if (model.shape === 'pie') {
    const [panel] = model.panels;
    if (panel) drawPie(canvas, panel, { x: 0, y: top, width, height: bottom - top });
    return;
  }
  top += drawLegend(canvas, legendOf(model), { x: 0, y: top, width });
  const plotArea = { x: 0, y: top, width, height: bottom - top - 2 };
  if (model.shape === 'rows') drawRows(canvas, model.panels, plotArea);
  else drawOverTime(canvas, model, plotArea);
}

/** Draws panels below each other along the same time axis. */
function drawOverTime(
  canvas: SvgCanvas,
  { panels, shape }: ChartModel,
  { x, y, width, height }: Size & { readonly x: number; readonly y: number },
): void {
  // Only the last panel has the labels of the points below it.
  const panelHeight = (height - POINT_LABELS_HEIGHT - GAP * (panels.length - 1)) / panels.length;
  const valueLabelWidth = Math.max(
    ...panels.map((panel) => labelWidth(panel, panelHeight, shape !== 'lines')),
  );
  let first = 0;
  panels.forEach((panel, index) => {
    const isLast = index === panels.length - 1;
    const area = {
      x,
      y: y + index * (panelHeight + GAP),
      width,
      height: panelHeight + (isLast ? POINT_LABELS_HEIGHT : 0),
    };
    const draw = shape === 'columns' ? drawColumns : drawLines;
    draw(canvas, panel, area, {
      first,
      isArea: shape === 'areas',
      labelWidth: valueLabelWidth,
      hasPointLabels: isLast,
    });
    first += panel.series.length;
  });
}

function legendOf({ panels, shape }: ChartModel): LegendEntry[] {
  const series = panels.flatMap((panel) => panel.series);
  const swatch =
    shape === 'lines' || (shape === 'areas' && !panels.some((panel) => panel.isStacked)) ? 'line' : 'box';
  const hasSingleSeries =
    series.length === 1 ||
    (shape === 'rows' &&
      panels.every((panel) => panel.series.length === 1 && panel.series[0]?.label === 'This period'));
  const isCompared = panels.some((panel) => hasBefore(panel));
  const isMarked = series.some(({ marked }) => marked.length > 0);
  return [
    ...(hasSingleSeries && !isCompared && !isMarked && shape === 'rows'
      ? []
      : (hasSingleSeries ? series.slice(0, 1) : series).map(
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
