/** Horizontal bars, one below the other, with space for long names: for comparisons without time. */
import { scaleBand } from 'd3-scale';
import { formatMetricValue, formatCompact } from '../number-formatters.js';
import { TICK_SIZE, valueAxis } from './axis.js';
import type { ChartPanel } from './chart-model.js';
import type { SvgCanvas } from './svg-canvas.js';
import type { Area } from './plot.js';
import { truncateToWidth, widthOf } from './svg-text.js';

const SIZE = 12;
const AXIS_HEIGHT = 20;
const PANEL_GAP = 22;
const MAX_BAR_HEIGHT = 26;
/** Maximum share of the width for names. */
const MAX_NAMES_SHARE = 0.36;
/** With one or two series, values are printed next to the bars; with more, only the axis shows them. */
const MAX_SERIES_WITH_VALUES = 2;
/** Height of a bar in pixels that a value next to it needs. */
const MIN_VALUE_HEIGHT = 11;
const MIN_TICK_WIDTH = 64;

/** Panels with the same categories are placed next to each other; others below each other. */
export function drawRows(canvas: SvgCanvas, panels: readonly ChartPanel[], area: Area): void {
  const [firstPanel] = panels;
  if (!firstPanel) return;
  const isShared = panels.every(({ points }) =>
    points.every(({ label }, at) => label === firstPanel.points[at]?.label),
  );
  if (!isShared) {
    drawBelowOneAnother(canvas, panels, area);
    return;
  }
  const names = namesOf(firstPanel, area.width);
  const each = (area.width - names.width - PANEL_GAP * (panels.length - 1)) / panels.length;
  let first = 0;
  panels.forEach((panel, index) => {
    const x = area.x + names.width + index * (each + PANEL_GAP);
    drawPanel(
      canvas,
      panel,
      { ...area, x, width: each },
      { first, names: index === 0 ? names.labels : [], left: area.x },
    );
    first += panel.series.length;
  });
}

function drawBelowOneAnother(canvas: SvgCanvas, panels: readonly ChartPanel[], area: Area): void {
  const all = panels.reduce((sum, { points }) => sum + points.length, 0);
  const barsHeight = area.height - (AXIS_HEIGHT + 6) * panels.length;
  const namesWidth = Math.max(...panels.map((panel) => namesOf(panel, area.width).width));
  let y = area.y;
  for (const panel of panels) {
    const height = (barsHeight * panel.points.length) / all + AXIS_HEIGHT;
    const panelArea = { x: area.x + namesWidth, y, width: area.width - namesWidth, height };
    drawPanel(canvas, panel, panelArea, { first: 0, names: namesOf(panel, area.width).labels, left: area.x });
    y += height + 6;
  }
}

function namesOf(
  { points }: ChartPanel,
  width: number,
): { readonly labels: readonly string[]; readonly width: number } {
  const labels = points.map(({ label }) => truncateToWidth(label, SIZE, width * MAX_NAMES_SHARE));
  return { labels, width: Math.ceil(Math.max(...labels.map((label) => widthOf(label, SIZE)))) + 10 };
}

interface RowsOptions {
  readonly first: number;
  readonly names: readonly string[];
  readonly left: number;
}

function drawPanel(
  canvas: SvgCanvas,
  panel: ChartPanel,
  area: Area,
  { first, names, left }: RowsOptions,
): void {
  const { colours } = canvas;
  const bottom = area.y + area.height - AXIS_HEIGHT;
  const bands = scaleBand<number>()
    .domain(panel.points.map((_, index) => index))
    .range([area.y, bottom])
    .padding(0.24);
  const height = Math.min(MAX_BAR_HEIGHT * (panel.isStacked ? 1 : panel.series.length), bands.bandwidth());
  const each = panel.isStacked ? height : height / panel.series.length;
  const showsValues =
    panel.series.length <= MAX_SERIES_WITH_VALUES && !panel.isStacked && each >= MIN_VALUE_HEIGHT;
  const valuesWidth = showsValues
    ? Math.max(
        ...panel.series.flatMap(({ values }) =>
          values.map((value) => widthOf(formatCompact(value ?? 0, panel.format), TICK_SIZE)),
        ),
      ) + 8
    : 12;
  const right = area.x + area.width - valuesWidth;
  const maxTicks = Math.max(1, Math.floor((right - area.x) / MIN_TICK_WIDTH));
  const axis = valueAxis(panel, { range: [area.x, right], maxTicks, fromZero: true });
  for (const { value, label } of axis.ticks) {
    const x = axis.scale(value);
    canvas.line([x, area.y], [x, bottom], { colour: value === 0 ? colours.soft : colours.line });
    canvas.text(label, { x, y: bottom + 15, colour: colours.soft, anchor: 'middle', size: TICK_SIZE });
  }
  panel.points.forEach((point, at) => {
    const middle = (bands(at) ?? 0) + bands.bandwidth() / 2;
    const name = names[at];
    if (name !== undefined) canvas.text(name, { x: left, y: middle + 4, colour: colours.text, size: SIZE });
    let floor = 0;
    panel.series.forEach(({ label, values, before, isRest }, index) => {
      const value = values[at] ?? null;
      const y = middle - height / 2 + (panel.isStacked ? 0 : index * each);
      const gap = each > 5 && !panel.isStacked ? 0.5 : 0;
      if (value !== null) {
        const ends = [axis.scale(floor), axis.scale(floor + value)] as const;
        const tooltip = `${label}, ${point.label}: ${formatMetricValue(value, panel.format)}`;
        const fill = canvas.fillOf(isRest ? null : first + index);
        if (value !== 0)
          canvas.bar(Math.min(...ends), y + gap, Math.abs(ends[1] - ends[0]), each - 2 * gap, fill, tooltip);
        if (showsValues)
          canvas.text(formatCompact(value, panel.format), {
            x: Math.max(...ends) + 5,
            y: y + each / 2 + 4,
            colour: colours.text,
            size: TICK_SIZE,
          });
        if (panel.isStacked) floor += value;
      }
      const earlier = before?.[at] ?? null;
      if (earlier !== null) {
        const x = axis.scale(earlier);
        canvas.line([x, y - 2], [x, y + each + 2], { colour: colours.text, width: 1.5, dashes: '3 2' });
      }
    });
  });
}
