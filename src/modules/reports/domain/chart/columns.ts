/** Column charts over time, grouped or stacked. */
import { scaleBand } from 'd3-scale';
import { formatMetricValue } from '../number-formatters.js';
import type { ChartPanel } from './chart-model.js';
import { drawPrevious, drawMarks } from './lines.js';
import type { SvgCanvas } from './svg-canvas.js';
import { type Area, drawPlot, type PanelOptions } from './plot.js';

const MAX_PREVIOUS_SERIES = 3;
const MAX_COLUMN_WIDTH = 72;

export function drawColumns(canvas: SvgCanvas, panel: ChartPanel, bounds: Area, options: PanelOptions): void {
  const { first } = options;
  const count = panel.points.length;
  const plot = drawPlot(canvas, panel, bounds, {
    ...options,
    fromZero: true,
    inset: (width) => (count === 1 ? 0 : width / count / 2),
  });
  const bands = scaleBand<number>()
    .domain(panel.points.map((_, index) => index))
    .range([plot.left, plot.left + plot.width])
    .padding(count > 1 ? 0.22 : 0);
  const width = Math.min(MAX_COLUMN_WIDTH, bands.bandwidth());
  const middleOf = (index: number): number => (bands(index) ?? 0) + bands.bandwidth() / 2;
  const each = panel.isStacked ? width : width / panel.series.length;
  panel.points.forEach((point, at) => {
    let floor = 0;
    panel.series.forEach(({ label, values, isRest }, index) => {
      const value = values[at] ?? null;
      if (value === null || value === 0) return;
      const [low, high] = [Math.min(floor, floor + value), Math.max(floor, floor + value)];
      const x = middleOf(at) - width / 2 + (panel.isStacked ? 0 : index * each);
      const tooltip = `${label}, ${point.label}: ${formatMetricValue(value, panel.format)}`;
      const gap = each > 4 && !panel.isStacked ? 0.5 : 0;
      canvas.bar(
        x + gap,
        plot.y(high),
        each - 2 * gap,
        plot.y(low) - plot.y(high),
        canvas.fillOf(isRest ? null : first + index),
        tooltip,
      );
      if (panel.isStacked) floor += value;
    });
  });
  panel.series.forEach((series, index) => {
    if (index < MAX_PREVIOUS_SERIES) drawPrevious(canvas, series, first + index, plot, middleOf);
    const offset = panel.isStacked ? 0 : (index - (panel.series.length - 1) / 2) * each;
    for (const { index: at, anomaly } of series.marked)
      canvas.line(
        [middleOf(at) + offset, plot.y(anomaly.low)],
        [middleOf(at) + offset, plot.y(anomaly.high)],
        {
          colour: canvas.colours.soft,
          width: 5,
          opacity: 0.6,
        },
      );
    drawMarks(canvas, series, plot, (at) => middleOf(at) + offset);
  });
}
