/** The background of a plot over time: the value axis with its grid lines, and the labels of the points. */
import type { ScaleLinear } from 'd3-scale';
import { labelledPoints, TICK_SIZE, valueAxis } from './axis.js';
import type { ChartPanel } from './chart-model.js';
import type { SvgCanvas } from './svg-canvas.js';
import { widthOf } from './svg-text.js';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PanelOptions {
  /** Index of the panel's first series among all. */
  readonly first: number;
  readonly isArea: boolean;
  /** Width of the value labels in pixels, the same for all panels. */
  readonly labelWidth: number;
  /** Whether the points are labelled below. */
  readonly hasPointLabels: boolean;
}

export interface Plot {
  readonly y: ScaleLinear<number, number>;
  readonly left: number;
  readonly width: number;
}

/** Height of the point labels in pixels. */
export const POINT_LABELS_HEIGHT = 24;
const TOP_MARGIN = 8;
const MIN_TICK_HEIGHT = 44;

interface PlotOptions extends Pick<PanelOptions, 'labelWidth' | 'hasPointLabels'> {
  readonly fromZero: boolean;
  readonly inset: (width: number) => number;
}

function maxTicksIn(height: number): number {
  return Math.max(2, Math.round(height / MIN_TICK_HEIGHT));
}

/** Returns the width in pixels that a panel's value labels need. */
export function labelWidth(panel: ChartPanel, height: number, fromZero: boolean): number {
  const plotHeight = height - TOP_MARGIN;
  return Math.ceil(
    valueAxis(panel, { range: [plotHeight, 0], maxTicks: maxTicksIn(plotHeight), fromZero }).labelWidth,
  );
}

/**
 * Draws the background.
 * @param inset horizontal distance in pixels of the points from both sides, given the width of the plot.
 */
export function drawPlot(
  canvas: SvgCanvas,
  panel: ChartPanel,
  area: Area,
  { labelWidth, hasPointLabels, fromZero, inset }: PlotOptions,
): Plot {
  const { colours } = canvas;
  const [top, bottom] = [
    area.y + TOP_MARGIN,
    area.y + area.height - (hasPointLabels ? POINT_LABELS_HEIGHT : 0),
  ];
  const axis = valueAxis(panel, { range: [bottom, top], maxTicks: maxTicksIn(bottom - top), fromZero });
  const lastHalf = widthOf(panel.points.at(-1)?.short ?? '', TICK_SIZE) / 2;
  const left = area.x + labelWidth + 8;
  const width = area.x + area.width - left - Math.max(8, Math.ceil(lastHalf * 0.7));
  for (const { value, label } of axis.ticks) {
    const y = axis.scale(value);
    canvas.line([left, y], [left + width, y], { colour: value === 0 ? colours.soft : colours.line });
    canvas.text(label, { x: left - 8, y: y + 4, colour: colours.soft, anchor: 'end', size: TICK_SIZE });
  }
  const plot = { y: axis.scale, left, width };
  const space = width - 2 * inset(width);
  for (const { index, label } of hasPointLabels ? labelledPoints(panel.points, space) : []) {
    const x = left + inset(width) + relativePosition(index, panel.points.length) * space;
    const half = widthOf(label, TICK_SIZE) / 2;
    const shifted = Math.min(Math.max(x, area.x + half), area.x + area.width - half);
    canvas.line([x, bottom], [x, bottom + 4], { colour: colours.soft });
    canvas.text(label, {
      x: shifted,
      y: bottom + 17,
      colour: colours.soft,
      anchor: 'middle',
      size: TICK_SIZE,
    });
  }
  return plot;
}

/** The position of one of `count` points, from 0 to 1; a single point is in the middle. */
export function relativePosition(index: number, count: number): number {
  return count === 1 ? 0.5 : index / (count - 1);
}
