/**
 * Draws parts of a whole as a doughnut chart, with a numbered list of names: the numbers connect both, so colour is not
 * needed.
 */
import { arc, pie, type PieArcDatum } from 'd3-shape';
import { formatMetricValue, formatCompact } from '../number-formatters.js';
import type { ChartPanel } from './chart-model.js';
import type { SvgCanvas } from './svg-canvas.js';
import type { Area } from './plot.js';
import { widthOf } from './svg-text.js';

interface Slice {
  readonly label: string;
  readonly value: number;
  /** Null for the rest. */
  readonly index: number | null;
}

const SIZE = 12;
const LINE_HEIGHT = 22;
const NARROW_LINE_HEIGHT = 18;
/** Below this width, the list is placed under the chart. */
const MIN_WIDE_WIDTH = 460;
const MAX_RADIUS = 130;
/** The smallest share whose slice has space for a number. */
const MIN_NUMBERED_SHARE = 0.03;

export function drawPie(canvas: SvgCanvas, panel: ChartPanel, area: Area): void {
  const values = panel.series[0]?.values ?? [];
  const slices = panel.points.map(({ label }, at): Slice => ({
    label,
    value: values[at] ?? 0,
    // The combined rest comes last, after eight series.
    index: at < canvas.colours.series.length ? at : null,
  }));
  const whole = slices.reduce((sum, { value }) => sum + value, 0);
  const isNarrow = area.width < MIN_WIDE_WIDTH;
  const line = isNarrow ? NARROW_LINE_HEIGHT : LINE_HEIGHT;
  const list = slices.length * line;
  const radius = isNarrow
    ? Math.max(36, Math.min((area.height - list - 20) / 2, area.width / 2 - 8, MAX_RADIUS))
    : Math.min(area.height / 2 - 6, area.width / 4, MAX_RADIUS);
  const centre = isNarrow
    ? { x: area.x + area.width / 2, y: area.y + radius + 4 }
    : { x: area.x + radius + 8, y: area.y + area.height / 2 };
  drawRing(canvas, slices, { ...centre, radius, whole: formatCompact(whole, panel.format) });
  const left = isNarrow ? area.x : area.x + radius * 2 + 44;
  const right = Math.min(area.x + area.width, left + 420);
  const top = isNarrow ? centre.y + radius + 16 : centre.y - list / 2;
  slices.forEach((slice, at) => {
    const y = top + at * line + 14;
    const share = formatCompact(whole === 0 ? 0 : (slice.value / whole) * 100, 'percent');
    const valueText = `${formatMetricValue(slice.value, panel.format)} · ${share}`;
    canvas.bar(left, y - 11, 14, 14, canvas.fillOf(slice.index));
    canvas.text(String(at + 1), { x: left + 34, y, colour: canvas.colours.soft, size: SIZE, anchor: 'end' });
    const maxWidth = right - left - 54 - widthOf(valueText, SIZE);
    canvas.text(slice.label, { x: left + 42, y, colour: canvas.colours.text, size: SIZE, maxWidth });
    canvas.text(valueText, {
      x: right,
      y,
      colour: canvas.colours.text,
      size: SIZE,
      anchor: 'end',
      weight: 600,
    });
  });
}

interface Ring {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly whole: string;
}

function drawRing(canvas: SvgCanvas, slices: readonly Slice[], { x, y, radius, whole }: Ring): void {
  const arcs = pie<Slice>()
    .sort(null)
    .value(({ value }) => value)([...slices]);
  const ring = arc<PieArcDatum<Slice>>()
    .digits(2)
    .innerRadius(radius * 0.58)
    .outerRadius(radius);
  canvas.translated(x, y, () => {
    arcs.forEach((slice, at) => {
      const tooltip = `${at + 1}: ${slice.data.label}`;
      canvas.shape(ring(slice) ?? '', canvas.fillOf(slice.data.index), {
        outline: canvas.colours.ground,
        tooltip,
      });
    });
    canvas.text(whole, {
      x: 0,
      y: 5,
      colour: canvas.colours.text,
      anchor: 'middle',
      size: radius < 70 ? 13 : 18,
      weight: 600,
    });
  });
  arcs.forEach((slice, at) => {
    if (slice.endAngle - slice.startAngle < (MIN_NUMBERED_SHARE * 2 * Math.PI * MAX_RADIUS) / radius) return;
    const [dx, dy] = arc<PieArcDatum<Slice>>()
      .innerRadius(radius * 0.58)
      .outerRadius(radius)
      .centroid(slice);
    canvas.shape(disc(x + dx, y + dy, 9), canvas.colours.ground, { opacity: 0.92 });
    canvas.text(String(at + 1), {
      x: x + dx,
      y: y + dy + 4,
      colour: canvas.colours.text,
      anchor: 'middle',
      size: 11,
      weight: 600,
    });
  });
}

function disc(x: number, y: number, radius: number): string {
  const [left, right] = [x - radius, x + radius].map((at) => at.toFixed(2));
  return `M${left} ${y.toFixed(2)}A${radius} ${radius} 0 1 1 ${right} ${y.toFixed(2)}A${radius} ${radius} 0 1 1 ${left} ${y.toFixed(2)}Z`;
}
