/**
 * A flow as a graph: where trips enter, its steps, where they end, and the ways between, for whoever draws it. The
 * drawing of the house itself is flow-svg.ts, the text for Mermaid flow-mermaid.ts.
 */
import type { Flow } from './flow.js';
import type { Step } from './step.js';
import { waysOf, type WayKey } from './step-ways.js';
import { wordsOfStep } from './step-words.js';

export const NODE_KINDS = [
  'trigger',
  'send_email',
  'wait',
  'condition',
  'conditional_split',
  'ab_split',
  'update_contact',
  'end',
] as const;
export type NodeKind = (typeof NODE_KINDS)[number];

/** What trips came to at a step, in one environment. */
export interface StepFigure {
  /** How often trips have taken the step. */
  readonly taken: number;
  /** The same by the ways that lead on from it. */
  readonly ways: ReadonlyMap<string, number>;
  /** Trips under way that stand there now. */
  readonly standing: number;
  /** Whether there are more of them than are counted. */
  readonly isMore: boolean;
}

/** By the steps' ids. */
export type FlowCountsByStep = ReadonlyMap<number, StepFigure>;

export interface GraphNode {
  /** `trigger`, `step-3` or `end_`. */
  readonly id: string;
  readonly kind: NodeKind;
  /** Null for what is no step. */
  readonly stepId: number | null;
  readonly title: string;
  readonly detail: string;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** What takes trips this way; null where there is no other. */
  readonly label: string | null;
  /** Which of the step's ways it is, as they are counted; null where there is no other. */
  readonly way: WayKey | null;
}

export interface FlowGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** What of a flow or of a draft is drawn. */
export type DrawnFlow = Pick<Flow, 'name' | 'triggerEvent' | 'steps'>;

/** The graph of a flow. */
export function flowGraph(flow: DrawnFlow): FlowGraph {
  return new GraphWriter().write(flow);
}

/** Ends of ways that lead to whatever comes next. */
type Loose = readonly Omit<GraphEdge, 'to'>[];

/** Not `end`, which is a word of Mermaid's own. */
const END = 'end_';

class GraphWriter {
  private readonly nodes: GraphNode[] = [];
  private readonly edges: GraphEdge[] = [];
  private readonly ends: Omit<GraphEdge, 'to'>[] = [];

  write({ triggerEvent, steps }: DrawnFlow): FlowGraph {
    this.nodes.push({
      id: 'trigger',
      kind: 'trigger',
      stepId: null,
      title: 'Trigger',
      detail: triggerEvent,
    });
    const loose = this.sequence(steps, [only('trigger')]);
    this.nodes.push({ id: END, kind: 'end', stepId: null, title: 'End', detail: '' });
    this.lead([...this.ends, ...loose], END);
    return { nodes: this.nodes, edges: this.edges };
  }

  private sequence(steps: readonly Step[], before: Loose): Loose {
    return steps.reduce((loose, step) => this.step(step, loose), before);
  }

  private step(step: Step, before: Loose): Loose {
    const id = `step-${step.id}`;
    this.nodes.push({ id, kind: step.type, stepId: step.id, ...wordsOfStep(step) });
    this.lead(before, id);
    const ways = waysOf(step);
    if (!ways) return [only(id)];
    return ways.flatMap(({ way, label, steps, then }) => {
      const loose = this.sequence(steps, [{ from: id, label, way }]);
      if (then === 'continue') return loose;
      this.ends.push(...loose);
      return [];
    });
  }

  private lead(loose: Loose, to: string): void {
    for (const { from, label, way } of loose) this.edges.push({ from, to, label, way });
  }
}

/** The one way out of a node. */
function only(from: string): Omit<GraphEdge, 'to'> {
  return { from, label: null, way: null };
}

/** How many trips went an edge; undefined where they are not counted. */
export function takenOn({ from, way }: GraphEdge, counts: FlowCountsByStep): number | undefined {
  const step = counts.get(Number(from.slice('step-'.length)));
  return way === null || !step ? undefined : (step.ways.get(way) ?? 0);
}

/** What is known of a step, as a drawing says it. */
export function countWords({ taken, standing, isMore }: StepFigure): string {
  return `${grouped(taken)} taken · ${grouped(standing)}${isMore ? '+' : ''} standing`;
}

/** With commas, as people read large figures. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
