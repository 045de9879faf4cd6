/**
 * Draws a flow as SVG: top to bottom, the branches of a split next to each other. The file is self-contained: no
 * script, no font, no URL. Its colours follow the reader's page, in light and dark mode.
 */
import { escapeHtml } from '../../../kernel/escape-html.js';
import {
  formatCounts,
  formatCount,
  type DrawnFlow,
  type FlowCountsByStep,
  type StepCounts,
} from './flow-graph.js';
import { STEP_KINDS, type Step } from './step.js';
import { branchesOf } from './step-branches.js';
import { stepLabels, type StepLabels } from './step-labels.js';
import type { StepBranch } from './steps/step-kind.js';

const BOX = { width: 200, height: 52 };
const PILL = { width: 48, height: 22 };
/** Gaps between elements, vertical and horizontal. */
const VERTICAL_GAP = 30;
const HORIZONTAL_GAP = 24;
const LABEL_HEIGHT = 18;
const MARGIN = 16;
/** Number of letters that fit in a box and on an edge. */
const MAX_TITLE_LETTERS = 26;
const MAX_DETAIL_LETTERS = 32;
const MAX_BRANCH_LETTERS = 22;
/** Letters of a branch's name with its count. */
const MAX_LABEL_LETTERS = 40;

const TRIGGER_COLOUR = '#0f766e';
const END_COLOUR = '#475569';

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
  readonly continuesBelow: boolean;
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
    const trigger = box(TRIGGER_COLOUR, { title: 'Trigger', detail: triggerEvent });
    const parts = [trigger, ...steps.map((step) => this.step(step))];
    return stacked([...parts, pill()]);
  }

  private step(step: Step): Part {
    const counts = this.counts.get(step.id);
    const head = box(STEP_KINDS[step.type].colour, stepLabels(step), counts);
    const branches = branchesOf(step);
    if (!branches) return head;
    const parts = branches.map((branch) => this.branch(branch, counts));
    return withBranches(head, parts);
  }

  private branch(
    { way: branch, label, steps, then }: StepBranch<Step>,
    counts: StepCounts | undefined,
  ): Part {
    const inner = steps.map((step) => this.step(step));
    const parts = then === 'skip_to_end' ? [...inner, pill()] : inner;
    const countSuffix = counts ? ` · ${formatCount(counts.ways.get(branch) ?? 0)}` : '';
    return labelled(
      shortened(label, MAX_BRANCH_LETTERS) + countSuffix,
      parts.length === 0 ? emptyBranch() : stacked(parts),
      then === 'continue',
    );
  }
}

function box(colour: string, { title, detail }: StepLabels, stepCounts?: StepCounts): Part {
  const { width, height } = BOX;
  const middle = width / 2;
  return {
    width,
    height: height + (stepCounts ? 14 : 0),
    continuesBelow: true,
    draw: (left, top) =>
      `<g transform="translate(${left} ${top})"><title>${escapeHtml(`${title}: ${detail}`)}</title>` +
      `<rect class="b" width="${width}" height="${height + (stepCounts ? 14 : 0)}" rx="8" stroke="${colour}"/>` +
      `<rect width="4" height="${height + (stepCounts ? 14 : 0) - 16}" y="8" x="6" rx="2" fill="${colour}"/>` +
      text(middle, 22, title, MAX_TITLE_LETTERS, 't') +
      text(middle, 39, detail, MAX_DETAIL_LETTERS, 's') +
      (stepCounts ? text(middle, 55, formatCounts(stepCounts), MAX_DETAIL_LETTERS, 's') : '') +
      '</g>',
  };
}

function pill(): Part {
  const { width, height } = PILL;
  return {
    width,
    height,
    continuesBelow: false,
    draw: (left, top) =>
      `<g transform="translate(${left} ${top})"><rect class="b" width="${width}" height="${height}" rx="11" ` +
      `stroke="${END_COLOUR}"/>${text(width / 2, 15, 'End', MAX_TITLE_LETTERS, 's')}</g>`,
  };
}

/** A branch without steps. */
function emptyBranch(): Part {
  const height = VERTICAL_GAP / 2;
  const width = PILL.width;
  return {
    width,
    height,
    continuesBelow: true,
    draw: (left, top) => line(left + width / 2, top, left + width / 2, top + height),
  };
}

/** Stacks parts vertically. If no branch leaves a part, no line is drawn to the next one. */
function stacked(parts: readonly Part[]): Part {
  const width = Math.max(...parts.map((part) => part.width));
  const height = parts.reduce((sum, part) => sum + part.height, 0) + VERTICAL_GAP * (parts.length - 1);
  return {
    width,
    height,
    continuesBelow: parts.at(-1)?.continuesBelow ?? true,
    draw: (left, top) => {
      const middle = left + width / 2;
      let drawing = '';
      let y = top;
      for (const [index, part] of parts.entries()) {
        drawing += part.draw(middle - part.width / 2, y);
        y += part.height;
        if (index < parts.length - 1 && part.continuesBelow)
          drawing += line(middle, y, middle, y + VERTICAL_GAP);
        y += VERTICAL_GAP;
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
    height: part.height + LABEL_HEIGHT + 6,
    continuesBelow: continues && part.continuesBelow,
    draw: (left, top) => {
      const middle = left + width / 2;
      return (
        text(middle, top + 12, label, MAX_LABEL_LETTERS, 's') +
        line(middle, top + LABEL_HEIGHT, middle, top + LABEL_HEIGHT + 6) +
        part.draw(middle - part.width / 2, top + LABEL_HEIGHT + 6)
      );
    },
  };
}

/** A step with its branches next to each other, which join again below it. */
function withBranches(head: Part, branches: readonly Part[]): Part {
  const branchesWidth =
    branches.reduce((sum, branch) => sum + branch.width, 0) + HORIZONTAL_GAP * (branches.length - 1);
  const width = Math.max(head.width, branchesWidth);
  const tallest = Math.max(...branches.map(({ height }) => height));
  const fork = VERTICAL_GAP / 2;
  const continuesBelow = branches.some((branch) => branch.continuesBelow);
  const height = head.height + 2 * fork + tallest + (continuesBelow ? fork : 0);
  return {
    width,
    height,
    continuesBelow,
    draw: (left, top) => {
      const middle = left + width / 2;
      const split = top + head.height + fork;
      const begin = split + fork;
      const join = begin + tallest + fork;
      let drawing = head.draw(middle - head.width / 2, top) + line(middle, top + head.height, middle, split);
      let x = left + (width - branchesWidth) / 2;
      const joined: number[] = [];
      for (const branch of branches) {
        const centre = x + branch.width / 2;
        drawing += path(middle, split, centre, split, centre, begin) + branch.draw(x, begin);
        if (branch.continuesBelow) {
          joined.push(centre);
          drawing += path(centre, begin + branch.height, centre, join, middle, join);
        }
        x += branch.width + HORIZONTAL_GAP;
      }
      return drawing;
    },
  };
}

function text(x: number, y: number, content: string, maxLetters: number, style: string): string {
  return `<text class="${style}" x="${round(x)}" y="${round(y)}">${escapeHtml(shortened(content, maxLetters))}</text>`;
}

function shortened(content: string, maxLetters: number): string {
  const letters = [...content];
  return letters.length > maxLetters ? `${letters.slice(0, maxLetters - 1).join('')}…` : content;
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
