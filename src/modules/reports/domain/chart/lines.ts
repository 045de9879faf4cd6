/** Line and area charts over time, with the previous period and anomalies. */
import { area, line } from 'd3-shape';
import { figureInWords } from '../shown-figures.js';
import type { ChartPanel, ChartSeries } from './chart-model.js';
import { drawnPoints } from './drawn-points.js';
import type { Paper } from './paper.js';
import { type Area, drawPlot, type PanelOptions, placeAmong, type Plot } from './plot.js';

/** Up to this number of points, each has a marker; of more, only some have. */
const MOST_SIGNS = 32;
const SIGNS = 7;
/** Maximum number of series with a line for the previous period; with more, the lines would be indistinguishable. */
const MOST_BEFORE = 3;

type Point = readonly [x: number, value: number | null, below: number];

export function drawLines(paper: Paper, panel: ChartPanel, place: Area, options: PanelOptions): void {
  const { first, isArea } = options;
  const count = panel.points.length;
  const isStacked = panel.isStacked && isArea;
  const inset = count === 1 ? 0 : 6;
  // Line charts show parts unstacked: each line has its own values.
  const shown = isStacked ? panel : { ...panel, isStacked: false };
  const plot = drawPlot(paper, shown, place, { ...options, fromZero: isArea, inset: () => inset });
  const xOf = (index: number): number =>
    plot.left + inset + placeAmong(index, count) * (plot.width - 2 * inset);
  const floors = new Array<number>(count).fill(0);
  const drawn = panel.series.map((series, index) => {
    const points = drawnPoints(series.values).map((at): Point => [
      xOf(at),
      series.values[at] ?? null,
      floors[at] ?? 0,
    ]);
    if (isStacked) series.values.forEach((value, at) => (floors[at] = (floors[at] ?? 0) + (value ?? 0)));
    return { series, index: series.isRest ? null : first + index, points };
  });
  for (const { series } of drawn) drawBands(paper, series, plot, xOf);
  if (isArea) for (const { index, points } of drawn) drawArea(paper, index, points, plot, isStacked);
  panel.series
    .slice(0, MOST_BEFORE)
    .forEach((series, index) => drawBefore(paper, series, first + index, plot, xOf));
  for (const { series, index, points } of drawn) {
    const top = points.map(([x, value, below]): Point => [x, value === null ? null : value + below, 0]);
    if (!isStacked || index !== null) drawLine(paper, index, top, plot);
    if (!isStacked) drawSigns(paper, series, index, panel, plot, xOf);
    drawMarks(paper, series, plot, xOf);
  }
}

function drawLine(paper: Paper, index: number | null, points: readonly Point[], { y }: Plot): void {
  const path = line<Point>()
    .digits(2)
    .defined(([, value]) => value !== null)
    .x(([x]) => x)
    .y(([, value]) => y(value ?? 0))(points);
  paper.path(path ?? '', { colour: paper.colourOf(index), width: 2 });
}

function drawArea(
  paper: Paper,
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
  if (isStacked) paper.shape(path ?? '', paper.fillOf(index), { opacity: 0.85 });
  else paper.shape(path ?? '', paper.colourOf(index), { opacity: 0.16 });
}

/** Draws the previous period, dashed and lighter, at the same points. */
export function drawBefore(
  paper: Paper,
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
    .y((at) => y(before[at] ?? 0))(drawnPoints(before));
  paper.path(path ?? '', { colour: paper.colourOf(index), width: 1.5, dashes: '4 4', opacity: 0.65 });
}

function drawSigns(
  paper: Paper,
  { label, values }: ChartSeries,
  index: number | null,
  { points, format, series }: ChartPanel,
  { y }: Plot,
  xOf: (index: number) => number,
): void {
  const count = points.length;
  const step = Math.ceil(count / SIGNS);
  const offset = (index ?? 0) * Math.max(1, Math.floor(step / Math.max(1, series.length)));
  points.forEach((point, at) => {
    const value = values[at] ?? null;
    const isSigned = count <= MOST_SIGNS ? true : series.length > 1 && at % step === offset % step;
    if (value === null || !isSigned) return;
    paper.marker(index, xOf(at), y(value), `${label}, ${point.label}: ${figureInWords(value, format)}`);
  });
}

/** Draws the bands of expected values. */
function drawBands(paper: Paper, { marked }: ChartSeries, { y }: Plot, xOf: (index: number) => number): void {
  for (const { index, anomaly } of marked) {
    const x = xOf(index);
    paper.line([x, y(anomaly.low)], [x, y(anomaly.high)], {
      colour: paper.colours.soft,
      width: 5,
      opacity: 0.35,
    });
  }
}

/** Draws a circle around each anomaly. */
export function drawMarks(
  paper: Paper,
  { values, marked }: ChartSeries,
  { y }: Plot,
  xOf: (index: number) => number,
): void {
  for (const { index } of marked) {
    const value = values[index] ?? null;
    if (value !== null) paper.mark(xOf(index), y(value));
  }
}
