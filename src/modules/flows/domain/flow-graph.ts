/**
 * A flow as a graph for drawings: where trips enter, the steps, where trips end, and the edges between them.
 * flow-svg.ts draws the product's own SVG, flow-mermaid.ts produces the text for Mermaid.
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

/** Counts of trips at a step, in one environment. */
export interface StepFigure {
  /** How often trips have taken the step. */
  readonly taken: number;
  /** The same count by branch of the step. */
  readonly ways: ReadonlyMap<string, number>;
  /** Trips in progress that are at this step now. */
  readonly standing: number;
  /** Whether there are more such trips than were counted. */
  readonly isMore: boolean;
}

/** By step id. */
export type FlowCountsByStep = ReadonlyMap<number, StepFigure>;

export interface GraphNode {
  /** `trigger`, `step-3` or `end_`. */
  readonly id: string;
  readonly kind: NodeKind;
  /** Null for nodes that are not steps. */
  readonly stepId: number | null;
  readonly title: string;
  readonly detail: string;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** The condition of this branch; null if there is only one. */
  readonly label: string | null;
  /** The key under which the branch is counted; null if there is only one. */
  readonly way: WayKey | null;
}

export interface FlowGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** The parts of a flow or draft that are drawn. */
export type DrawnFlow = Pick<Flow, 'name' | 'triggerEvent' | 'steps'>;

export function flowGraph(flow: DrawnFlow): FlowGraph {
  return new GraphWriter().write(flow);
}

/** Edges whose target, the next node, is not yet known. */
type Loose = readonly Omit<GraphEdge, 'to'>[];

/** Not `end`, which is a reserved word in Mermaid. */
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

/** The only edge out of a node. */
function only(from: string): Omit<GraphEdge, 'to'> {
  return { from, label: null, way: null };
}

/** How many trips took an edge; undefined if they are not counted. */
export function takenOn({ from, way }: GraphEdge, counts: FlowCountsByStep): number | undefined {
  const step = counts.get(Number(from.slice('step-'.length)));
  return way === null || !step ? undefined : (step.ways.get(way) ?? 0);
}

/** The counts of a step, as drawings show them. */
export function countWords({ taken, standing, isMore }: StepFigure): string {
  return `${grouped(taken)} taken · ${grouped(standing)}${isMore ? '+' : ''} standing`;
}

/** With commas as thousands separators. */
export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
