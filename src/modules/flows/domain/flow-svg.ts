/**
 * Draws a flow as SVG: top to bottom, the branches of a split next to each other. The file is self-contained: no
 * script, no font, no URL. Its colours follow the reader's page, in light and dark mode.
 */
import { escapeHtml } from '../../../kernel/escape-html.js';
import {
  countWords,
  grouped,
  type DrawnFlow,
  type FlowCountsByStep,
  type NodeKind,
  type StepFigure,
} from './flow-graph.js';
import type { Step } from './step.js';
import { waysOf, type Way } from './step-ways.js';
import { wordsOfStep, type StepWords } from './step-words.js';

const BOX = { width: 200, height: 52 };
const PILL = { width: 48, height: 22 };
/** Gaps between elements, vertical and horizontal. */
const DOWN = 30;
const ASIDE = 24;
const LABEL = 18;
const MARGIN = 16;
/** Number of letters that fit in a box and on an edge. */
const TITLE = 26;
const DETAIL = 32;
const WAY = 22;
/** Letters of a branch's name with its count. */
const LABELLED = 40;

const COLOURS: Readonly<Record<NodeKind, string>> = {
  trigger: '#0f766e',
  send_email: '#1d4ed8',
  wait: '#a16207',
  condition: '#7e22ce',
  conditional_split: '#7e22ce',
  ab_split: '#be185d',
  update_contact: '#15803d',
  end: '#475569',
};

const STYLE =
  'text{font:12px system-ui,sans-serif;fill:#0f172a;text-anchor:middle}.t{font-weight:600}' +
  '.s{font-size:10.5px;fill:#475569}.b{fill:#fff;stroke-width:1.5}.w{fill:none;stroke:#94a3b8;stroke-width:1.5}' +
  '.bg{fill:#f8fafc}@media(prefers-color-scheme:dark){.bg{fill:#0f172a}.b{fill:#1e293b}text{fill:#e2e8f0}' +
  '.s{fill:#94a3b8}}';

/**
 * A part of the drawing. It is entered at the middle of its top, and left at the middle of its bottom unless all its
 * branches end within it.
 */
interface Part {
  readonly width: number;
  readonly height: number;
  readonly goesOn: boolean;
  draw(left: number, top: number): string;
}

/** Draws the flow, with the counts of its steps by id. */
export function flowSvg(flow: DrawnFlow, counts: FlowCountsByStep): string {
  const whole = new Drawing(counts).whole(flow);
  const [width, height] = [whole.width + 2 * MARGIN, whole.height + 2 * MARGIN];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img"><title>${escapeHtml(flow.name)}</title><style>${STYLE}</style>` +
    `<rect class="bg" width="${width}" height="${height}"/>${whole.draw(MARGIN, MARGIN)}</svg>\n`
  );
}

class Drawing {
  constructor(private readonly counts: FlowCountsByStep) {}

  whole({ triggerEvent, steps }: DrawnFlow): Part {
    const trigger = box('trigger', { title: 'Trigger', detail: triggerEvent });
    const parts = [trigger, ...steps.map((step) => this.step(step))];
    return below([...parts, pill()]);
  }

  private step(step: Step): Part {
    const counts = this.counts.get(step.id);
    const head = box(step.type, wordsOfStep(step), counts);
    const ways = waysOf(step);
    if (!ways) return head;
    const parts = ways.map((way) => this.way(way, counts));
    return forked(head, parts);
  }

  private way({ way, label, steps, then }: Way, counts: StepFigure | undefined): Part {
    const inner = steps.map((step) => this.step(step));
    const parts = then === 'skip_to_end' ? [...inner, pill()] : inner;
    const figure = counts ? ` · ${grouped(counts.ways.get(way) ?? 0)}` : '';
    return labelled(
      shortened(label, WAY) + figure,
      parts.length === 0 ? passage() : below(parts),
      then === 'continue',
    );
  }
}

function box(kind: NodeKind, { title, detail }: StepWords, figures?: StepFigure): Part {
  const { width, height } = BOX;
  const middle = width / 2;
  return {
    width,
    height: height + (figures ? 14 : 0),
    goesOn: true,
    draw: (left, top) =>
      `<g transform="translate(${left} ${top})"><title>${escapeHtml(`${title}: ${detail}`)}</title>` +
      `<rect class="b" width="${width}" height="${height + (figures ? 14 : 0)}" rx="8" stroke="${COLOURS[kind]}"/>` +
      `<rect width="4" height="${height + (figures ? 14 : 0) - 16}" y="8" x="6" rx="2" fill="${COLOURS[kind]}"/>` +
      text(middle, 22, title, TITLE, 't') +
      text(middle, 39, detail, DETAIL, 's') +
      (figures ? text(middle, 55, countWords(figures), DETAIL, 's') : '') +
      '</g>',
  };
}

function pill(): Part {
  const { width, height } = PILL;
  return {
    width,
    height,
    goesOn: false,
    draw: (left, top) =>
      `<g transform="translate(${left} ${top})"><rect class="b" width="${width}" height="${height}" rx="11" ` +
      `stroke="${COLOURS.end}"/>${text(width / 2, 15, 'End', TITLE, 's')}</g>`,
  };
}

/** A branch without steps. */
function passage(): Part {
  const height = DOWN / 2;
  const width = PILL.width;
  return {
    width,
    height,
    goesOn: true,
    draw: (left, top) => line(left + width / 2, top, left + width / 2, top + height),
  };
}

/** Stacks parts vertically. If no branch leaves a part, no line is drawn to the next one. */
function below(parts: readonly Part[]): Part {
  const width = Math.max(...parts.map((part) => part.width));
  const height = parts.reduce((sum, part) => sum + part.height, 0) + DOWN * (parts.length - 1);
  return {
    width,
    height,
    goesOn: parts.at(-1)?.goesOn ?? true,
    draw: (left, top) => {
      const middle = left + width / 2;
      let drawing = '';
      let y = top;
      for (const [index, part] of parts.entries()) {
        drawing += part.draw(middle - part.width / 2, y);
        y += part.height;
        if (index < parts.length - 1 && part.goesOn) drawing += line(middle, y, middle, y + DOWN);
        y += DOWN;
      }
      return drawing;
    },
  };
}

/** A branch with its name above it. */
function labelled(label: string, part: Part, continues: boolean): Part {
  const width = Math.max(part.width, label.length * 6.2 + 8);
  return {
    width,
    height: part.height + LABEL + 6,
    goesOn: continues && part.goesOn,
    draw: (left, top) => {
      const middle = left + width / 2;
      return (
        text(middle, top + 12, label, LABELLED, 's') +
        line(middle, top + LABEL, middle, top + LABEL + 6) +
        part.draw(middle - part.width / 2, top + LABEL + 6)
      );
    },
  };
}

/** A step with its branches next to each other, which join again below it. */
function forked(head: Part, ways: readonly Part[]): Part {
  const across = ways.reduce((sum, way) => sum + way.width, 0) + ASIDE * (ways.length - 1);
  const width = Math.max(head.width, across);
  const tallest = Math.max(...ways.map(({ height }) => height));
  const fork = DOWN / 2;
  const goesOn = ways.some((way) => way.goesOn);
  const height = head.height + 2 * fork + tallest + (goesOn ? fork : 0);
  return {
    width,
    height,
    goesOn,
    draw: (left, top) => {
      const middle = left + width / 2;
      const split = top + head.height + fork;
      const begin = split + fork;
      const join = begin + tallest + fork;
      let drawing = head.draw(middle - head.width / 2, top) + line(middle, top + head.height, middle, split);
      let x = left + (width - across) / 2;
      const joined: number[] = [];
      for (const way of ways) {
        const centre = x + way.width / 2;
        drawing += path(middle, split, centre, split, centre, begin) + way.draw(x, begin);
        if (way.goesOn) {
          joined.push(centre);
          drawing += path(centre, begin + way.height, centre, join, middle, join);
        }
        x += way.width + ASIDE;
      }
      return drawing;
    },
  };
}

function text(x: number, y: number, words: string, most: number, style: string): string {
  return `<text class="${style}" x="${round(x)}" y="${round(y)}">${escapeHtml(shortened(words, most))}</text>`;
}

function shortened(words: string, most: number): string {
  const letters = [...words];
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : words;
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<path class="w" d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}"/>`;
}

function path(...points: readonly number[]): string {
  const [x, y, ...rest] = points.map(round);
  return `<path class="w" d="M${x} ${y}L${rest.join(' ')}"/>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
