/**
 * Draws parts of a whole as a doughnut chart, with a numbered list of names: the numbers connect both, so colour is not
 * needed.
 */
import { arc, pie, type PieArcDatum } from 'd3-shape';
import { figureInWords, shortFigure } from '../shown-figures.js';
import type { ChartPanel } from './chart-model.js';
import type { Paper } from './paper.js';
import type { Area } from './plot.js';
import { widthOf } from './svg-text.js';

interface Slice {
  readonly label: string;
  readonly value: number;
  /** Null for the rest. */
  readonly index: number | null;
}

const SIZE = 12;
const LINE = 22;
const NARROW_LINE = 18;
/** Below this width, the list is placed under the chart. */
const NARROW = 460;
const LARGEST = 130;
/** The smallest share whose slice has space for a number. */
const NUMBERED = 0.03;

export function drawPie(paper: Paper, panel: ChartPanel, area: Area): void {
  const values = panel.series[0]?.values ?? [];
  const slices = panel.points.map(({ label }, at): Slice => ({
    label,
    value: values[at] ?? 0,
    // The combined rest comes last, after eight series.
    index: at < paper.colours.series.length ? at : null,
  }));
  const whole = slices.reduce((sum, { value }) => sum + value, 0);
  const isNarrow = area.width < NARROW;
  const line = isNarrow ? NARROW_LINE : LINE;
  const list = slices.length * line;
  const radius = isNarrow
    ? Math.max(36, Math.min((area.height - list - 20) / 2, area.width / 2 - 8, LARGEST))
    : Math.min(area.height / 2 - 6, area.width / 4, LARGEST);
  const centre = isNarrow
    ? { x: area.x + area.width / 2, y: area.y + radius + 4 }
    : { x: area.x + radius + 8, y: area.y + area.height / 2 };
  drawRing(paper, slices, { ...centre, radius, whole: shortFigure(whole, panel.format) });
  const left = isNarrow ? area.x : area.x + radius * 2 + 44;
  const right = Math.min(area.x + area.width, left + 420);
  const top = isNarrow ? centre.y + radius + 16 : centre.y - list / 2;
  slices.forEach((slice, at) => {
    const y = top + at * line + 14;
    const share = shortFigure(whole === 0 ? 0 : (slice.value / whole) * 100, 'percent');
    const figure = `${figureInWords(slice.value, panel.format)} · ${share}`;
    paper.bar(left, y - 11, 14, 14, paper.fillOf(slice.index));
    paper.text(String(at + 1), { x: left + 34, y, colour: paper.colours.soft, size: SIZE, anchor: 'end' });
    const room = right - left - 54 - widthOf(figure, SIZE);
    paper.text(slice.label, { x: left + 42, y, colour: paper.colours.text, size: SIZE, room });
    paper.text(figure, { x: right, y, colour: paper.colours.text, size: SIZE, anchor: 'end', weight: 600 });
  });
}

interface Ring {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly whole: string;
}

function drawRing(paper: Paper, slices: readonly Slice[], { x, y, radius, whole }: Ring): void {
  const arcs = pie<Slice>()
    .sort(null)
    .value(({ value }) => value)([...slices]);
  const ring = arc<PieArcDatum<Slice>>()
    .digits(2)
    .innerRadius(radius * 0.58)
    .outerRadius(radius);
  paper.shifted(x, y, () => {
    arcs.forEach((slice, at) => {
      const words = `${at + 1}: ${slice.data.label}`;
      paper.shape(ring(slice) ?? '', paper.fillOf(slice.data.index), {
        outline: paper.colours.ground,
        words,
      });
    });
    paper.text(whole, {
      x: 0,
      y: 5,
      colour: paper.colours.text,
      anchor: 'middle',
      size: radius < 70 ? 13 : 18,
      weight: 600,
    });
  });
  arcs.forEach((slice, at) => {
    if (slice.endAngle - slice.startAngle < (NUMBERED * 2 * Math.PI * LARGEST) / radius) return;
    const [dx, dy] = arc<PieArcDatum<Slice>>()
      .innerRadius(radius * 0.58)
      .outerRadius(radius)
      .centroid(slice);
    paper.shape(disc(x + dx, y + dy, 9), paper.colours.ground, { opacity: 0.92 });
    paper.text(String(at + 1), {
      x: x + dx,
      y: y + dy + 4,
      colour: paper.colours.text,
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
