/** Line and area charts over time, with the previous period and anomalies. */
import { area, line } from 'd3-shape';
import { formatMetricValue } from '../number-formatters.js';
import type { ChartPanel, ChartSeries } from './chart-model.js';
import type { SvgCanvas } from './svg-canvas.js';
import { type Area, drawPlot, type PanelOptions, relativePosition, type Plot } from './plot.js';

/** Up to this number of points, each has a marker; of more, only some have. */
const MAX_FULLY_MARKED_POINTS = 32;
const MARKERS_PER_LINE = 7;
/** Maximum number of series with a line for the previous period; with more, the lines would be indistinguishable. */
const MAX_PREVIOUS_SERIES = 3;

type Point = readonly [x: number, value: number | null, below: number];

export function drawLines(canvas: SvgCanvas, panel: ChartPanel, bounds: Area, options: PanelOptions): void {
  const { first, isArea } = options;
  const count = panel.points.length;
  const isStacked = panel.isStacked && isArea;
  const inset = count === 1 ? 0 : 6;
  // Line charts show parts unstacked: each line has its own values.
  const plotPanel = isStacked ? panel : { ...panel, isStacked: false };
  const plot = drawPlot(canvas, plotPanel, bounds, { ...options, fromZero: isArea, inset: () => inset });
  const xOf = (index: number): number =>
    plot.left + inset + relativePosition(index, count) * (plot.width - 2 * inset);
  const floors = new Array<number>(count).fill(0);
  const drawnSeries = panel.series.map((series, index) => {
    const points = samplePoints(series.values).map((at): Point => [
      xOf(at),
      series.values[at] ?? null,
      floors[at] ?? 0,
    ]);
    if (isStacked) series.values.forEach((value, at) => (floors[at] = (floors[at] ?? 0) + (value ?? 0)));
    return { series, index: series.isRest ? null : first + index, points };
  });
  for (const { series } of drawnSeries) drawBands(canvas, series, plot, xOf);
  if (isArea) for (const { index, points } of drawnSeries) drawArea(canvas, index, points, plot, isStacked);
  panel.series
    .slice(0, MAX_PREVIOUS_SERIES)
    .forEach((series, index) => drawPrevious(canvas, series, first + index, plot, xOf));
  for (const { series, index, points } of drawnSeries) {
    const top = points.map(([x, value, below]): Point => [x, value === null ? null : value + below, 0]);
    if (!isStacked || index !== null) drawLine(canvas, index, top, plot);
    if (!isStacked) drawMarkers(canvas, series, index, panel, plot, xOf);
    drawMarks(canvas, series, plot, xOf);
  }
}

function drawLine(canvas: SvgCanvas, index: number | null, points: readonly Point[], { y }: Plot): void {
  const path = line<Point>()
    .digits(2)
    .defined(([, value]) => value !== null)
    .x(([x]) => x)
    .y(([, value]) => y(value ?? 0))(points);
  canvas.path(path ?? '', { colour: canvas.colourOf(index), width: 2 });
}

function drawArea(
  canvas: SvgCanvas,
  index: number | null,
  points: readonly Point[],
  { y }: Plot,
  isStacked: boolean,
): void {
  const path = area<Point>()
    .digits(2)
    .defined(([, value]) => value !== null)
    .x(([x]) => x)
    .y0(([, , below]) => y(below))
    .y1(([, value, below]) => y(below + (value ?? 0)))(points);
  if (isStacked) canvas.shape(path ?? '', canvas.fillOf(index), { opacity: 0.85 });
  else canvas.shape(path ?? '', canvas.colourOf(index), { opacity: 0.16 });
}

/** Draws the previous period, dashed and lighter, at the same points. */
export function drawPrevious(
  canvas: SvgCanvas,
  { before }: ChartSeries,
  index: number,
  { y }: Plot,
  xOf: (index: number) => number,
): void {
  if (!before) return;
  const path = line<number>()
    .digits(2)
    .defined((at) => (before[at] ?? null) !== null)
    .x(xOf)
    .y((at) => y(before[at] ?? 0))(samplePoints(before));
  canvas.path(path ?? '', { colour: canvas.colourOf(index), width: 1.5, dashes: '4 4', opacity: 0.65 });
}

function drawMarkers(
  canvas: SvgCanvas,
  { label, values }: ChartSeries,
  index: number | null,
  { points, format, series }: ChartPanel,
  { y }: Plot,
  xOf: (index: number) => number,
): void {
  const count = points.length;
  const step = Math.ceil(count / MARKERS_PER_LINE);
  const offset = (index ?? 0) * Math.max(1, Math.floor(step / Math.max(1, series.length)));
  points.forEach((point, at) => {
    const value = values[at] ?? null;
    const hasMarker =
      count <= MAX_FULLY_MARKED_POINTS ? true : series.length > 1 && at % step === offset % step;
    if (value === null || !hasMarker) return;
    canvas.marker(index, xOf(at), y(value), `${label}, ${point.label}: ${formatMetricValue(value, format)}`);
  });
}

/** Draws the bands of expected values. */
function drawBands(
  canvas: SvgCanvas,
  { marked }: ChartSeries,
  { y }: Plot,
  xOf: (index: number) => number,
): void {
  for (const { index, anomaly } of marked) {
    const x = xOf(index);
    canvas.line([x, y(anomaly.low)], [x, y(anomaly.high)], {
      colour: canvas.colours.soft,
      width: 5,
      opacity: 0.35,
    });
  }
}

/** Draws a circle around each anomaly. */
export function drawMarks(
  canvas: SvgCanvas,
  { values, marked }: ChartSeries,
  { y }: Plot,
  xOf: (index: number) => number,
): void {
  for (const { index } of marked) {
    const value = values[index] ?? null;
    if (value !== null) canvas.mark(xOf(index), y(value));
  }
}

/** Maximum number of points per series. */
export const MAX_POINTS = 400;

/**
 * Returns the indexes of the points to draw, ascending: all if there are few; otherwise the first, the last, and the
 * lowest and highest of each segment, so that the outline is preserved. A segment without known values keeps its first
 * point, since that is a gap.
 * @param maxPoints at least 4.
 */
export function samplePoints(values: readonly (number | null)[], maxPoints = MAX_POINTS): number[] {
  const count = values.length;
  if (count <= maxPoints) return values.map((_, index) => index);
  const segments = Math.floor((maxPoints - 2) / 2);
  const indexes = new Set([0, count - 1]);
  for (let segment = 0; segment < segments; segment++) {
    const from = Math.floor((segment * count) / segments);
    const to = Math.floor(((segment + 1) * count) / segments);
    for (const index of extremesOf(values, from, to)) indexes.add(index);
  }
  return [...indexes].sort((a, b) => a - b);
}

function extremesOf(values: readonly (number | null)[], from: number, to: number): readonly number[] {
  let [lowest, highest] = [-1, -1];
  for (let index = from; index < to; index++) {
    const value = values[index] ?? null;
    if (value === null) continue;
    if (lowest < 0 || value < (values[lowest] ?? 0)) lowest = index;
    if (highest < 0 || value > (values[highest] ?? 0)) highest = index;
  }
  return lowest < 0 ? [from] : [lowest, highest];
}
