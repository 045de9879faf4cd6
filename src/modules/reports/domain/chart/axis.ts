/** Chart axes: the scale of the values, and which points get a label. */
import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { tickLabels } from '../number-formatters.js';
import type { ChartPanel, ChartPoint } from './chart-model.js';
import { widthOf } from './svg-text.js';

export const TICK_SIZE = 11;
/** A line chart's axis may start above 0 only if its lowest value is at least this share of the highest. */
const MIN_ZOOMED_SHARE = 0.6;

export interface Tick {
  readonly value: number;
  readonly label: string;
}

export interface ValueAxis {
  readonly scale: ScaleLinear<number, number>;
  readonly ticks: readonly Tick[];
  /** Width of the longest label in pixels. */
  readonly labelWidth: number;
}

interface AxisOptions {
  /** The pixel positions of the lowest and the highest value. */
  readonly range: readonly [number, number];
  /** The maximum number of ticks that fit. */
  readonly maxTicks: number;
  /** Whether shapes start at the axis, so that it must include 0. */
  readonly fromZero: boolean;
}

/** The axis of everything that a panel shows, including the comparison period and the usual bands. */
export function valueAxis(panel: ChartPanel, { range, maxTicks, fromZero }: AxisOptions): ValueAxis {
  const values = valuesIn(panel);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const isClose = !fromZero && low > 0 && low > high * MIN_ZOOMED_SHARE;
  const from = isClose ? low - (high - low) * 0.1 : Math.min(0, low);
  const to = Math.max(high, isClose ? low : 0);
  const scale = scaleLinear()
    .domain(from === to ? [from - (isClose ? 1 : 0), to + 1] : [from, to])
    .range(range)
    .nice(maxTicks);
  const isWhole = values.every(Number.isInteger) && panel.format === 'number';
  const ticks = scale.ticks(maxTicks).filter((tick) => !isWhole || Number.isInteger(tick));
  const labels = tickLabels(ticks, panel.format);
  return {
    scale,
    ticks: ticks.map((value, index) => ({ value, label: labels[index] ?? '' })),
    labelWidth: Math.max(...labels.map((label) => widthOf(label, TICK_SIZE))),
  };
}

function valuesIn({ series, points, isStacked }: ChartPanel): number[] {
  if (isStacked)
    return [
      0,
      ...points.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)),
    ];
  const all = series.flatMap(({ values, before, marked }) => [
    ...values,
    ...(before ?? []),
    ...marked.flatMap(({ anomaly: { low, high } }) => [low, high]),
  ]);
  const finite = all
    .map(rounded)
    .filter((value): value is number => value !== null && Number.isFinite(value));
  return finite.length > 0 ? finite : [0];
}

/** Values have two decimals; anything smaller counts as 0. */
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100;
}

/** Tick steps that suit few points (such as hours and months), and many days (whole weeks). */
const STEPS_FOR_FEW_POINTS = [1, 2, 3, 4, 6, 8, 12, 24];
const STEPS_FOR_MANY_POINTS = [1, 2, 3, 7, 14, 28, 56, 91, 182, 364];
const MAX_FEW_POINTS = 24;

/**
 * Chooses the points to label on a time axis, and their texts: as many as fit, with the year where it changes.
 * @param width pixels for all points.
 */
export function labelledPoints(
  points: readonly ChartPoint[],
  width: number,
): { readonly index: number; readonly label: string }[] {
  const years = new Set(points.map(({ year }) => year));
  const maxLabelWidth =
    Math.max(...points.map(({ short }) => widthOf(short, TICK_SIZE))) + (years.size > 1 ? 34 : 0);
  const maxLabels = Math.max(1, Math.floor(width / (maxLabelWidth + 14)));
  const needed = Math.ceil(points.length / maxLabels);
  const steps = points.length <= MAX_FEW_POINTS ? STEPS_FOR_FEW_POINTS : STEPS_FOR_MANY_POINTS;
  const step = steps.find((one) => one >= needed) ?? needed;
  let lastYear: number | null = null;
  return points.flatMap(({ short, year }, index) => {
    if (index % step !== 0) return [];
    const isNew = years.size > 1 && year !== lastYear;
    lastYear = year;
    return [{ index, label: isNew && year !== null ? `${short}, ${year}` : short }];
  });
}
