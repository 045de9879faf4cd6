/** A flow's graph as text for Mermaid, which code hosts and editors render. */
import { formatCounts, formatCount, edgeCount } from './flow-graph.js';
import type { FlowCountsByStep, FlowGraph, GraphEdge, GraphNode, NodeKind } from './flow-graph.js';
import { STEP_KINDS } from './step.js';

/** Where trips enter and end, a step, and a step with branches. */
const STADIUM = ['([', '])'] as const;
const RECTANGLE = ['[', ']'] as const;
const RHOMBUS = ['{', '}'] as const;

/** The graph as a Mermaid flowchart, with the counts of its steps by id. */
export function flowMermaid(graph: FlowGraph, counts: FlowCountsByStep): string {
  const lines = graph.nodes.map((node) => `  ${node.id}${shape(node, counts)}`);
  const edgeLines = graph.edges.map((edge) => `  ${edge.from} -->${label(edge, counts)} ${edge.to}`);
  return ['flowchart TD', ...lines, ...edgeLines, ''].join('\n');
}

function shape(node: GraphNode, counts: FlowCountsByStep): string {
  const [open, close] = shapeOf(node.kind);
  const stepCounts = node.stepId === null ? undefined : counts.get(node.stepId);
  const rows = [node.title, node.detail, stepCounts ? formatCounts(stepCounts) : ''];
  return open + quoted(...rows.filter((row) => row !== '')) + close;
}

function shapeOf(kind: NodeKind): readonly [open: string, close: string] {
  if (kind === 'trigger' || kind === 'end') return STADIUM;
  return STEP_KINDS[kind].branches ? RHOMBUS : RECTANGLE;
}

function label(edge: GraphEdge, counts: FlowCountsByStep): string {
  if (edge.label === null) return '';
  const taken = edgeCount(edge, counts);
  return `|${quoted(taken === undefined ? edge.label : `${edge.label} · ${formatCount(taken)}`)}|`;
}

/**
 * Joins rows to one quoted text; each character with a meaning in Mermaid or HTML becomes a numeric character
 * reference.
 */
function quoted(...rows: readonly string[]): string {
  const escaped = rows.map((row) =>
    row.replace(/[^\p{L}\p{N} .,:%+/@()_·-]/gu, (character) => `#${character.codePointAt(0)};`),
  );
  return `"${escaped.join('<br/>')}"`;
}
