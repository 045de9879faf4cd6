/**
 * A flow as a graph for drawings: where trips enter, the steps, where trips end, and the edges between them.
 * flow-svg.ts draws the product's own SVG, flow-mermaid.ts produces the text for Mermaid.
 */
import type { Flow } from './flow.js';
import type { Step, StepType } from './step.js';
import { branchesOf } from './step-branches.js';
import { stepLabels } from './step-labels.js';
import type { BranchKey } from './steps/branch.js';

export type NodeKind = 'trigger' | StepType | 'end';

/** Counts of trips at a step, in one environment. */
export interface StepCounts {
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
export type FlowCountsByStep = ReadonlyMap<number, StepCounts>;

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
  readonly way: BranchKey | null;
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
type OpenEdges = readonly Omit<GraphEdge, 'to'>[];

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
    const openEdges = this.sequence(steps, [singleEdge('trigger')]);
    this.nodes.push({ id: END, kind: 'end', stepId: null, title: 'End', detail: '' });
    this.connect([...this.ends, ...openEdges], END);
    return { nodes: this.nodes, edges: this.edges };
  }

  private sequence(steps: readonly Step[], before: OpenEdges): OpenEdges {
    return steps.reduce((openEdges, step) => this.step(step, openEdges), before);
  }

  private step(step: Step, before: OpenEdges): OpenEdges {
    const id = `step-${step.id}`;
    this.nodes.push({ id, kind: step.type, stepId: step.id, ...stepLabels(step) });
    this.connect(before, id);
    const branches = branchesOf(step);
    if (!branches) return [singleEdge(id)];
    return branches.flatMap(({ way, label, steps, then }) => {
      const openEdges = this.sequence(steps, [{ from: id, label, way }]);
      if (then === 'continue') return openEdges;
      this.ends.push(...openEdges);
      return [];
    });
  }

  private connect(openEdges: OpenEdges, to: string): void {
    for (const { from, label, way } of openEdges) this.edges.push({ from, to, label, way });
  }
}

/** The only edge out of a node. */
function singleEdge(from: string): Omit<GraphEdge, 'to'> {
  return { from, label: null, way: null };
}

/** How many trips took an edge; undefined if they are not counted. */
export function edgeCount({ from, way }: GraphEdge, counts: FlowCountsByStep): number | undefined {
  const step = counts.get(Number(from.slice('step-'.length)));
  return way === null || !step ? undefined : (step.ways.get(way) ?? 0);
}

/** The counts of a step, as drawings show them. */
export function formatCounts({ taken, standing, isMore }: StepCounts): string {
  return `${formatCount(taken)} taken · ${formatCount(standing)}${isMore ? '+' : ''} standing`;
}

/** With commas as thousands separators. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
