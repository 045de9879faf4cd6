/** A flow as a graph, in GraphQL. */
import { Out, Output } from '../../../platform/output/output-class.js';
import { edgeCount } from '../../flows/domain/flow-graph.js';
import type { DrawnGraph } from '../application/flow-graphs.js';

@Output({ graphql: 'FlowGraphNode', description: 'The trigger, a step, or the end.' })
class FlowGraphNodeOutput {
  @Out('String', { description: 'Identifies the node in edges.' }) id: string;
  @Out('String', { description: 'trigger, end, or the type of the step.' }) kind: string;
  @Out('Int', { nullable: true, description: 'Null if the node is not a step.' }) stepId: number | null;
  @Out('String') title: string;
  @Out('String', { description: 'Details of the step, such as the template or the duration.' })
  detail: string;
  @Out('Int', { nullable: true, description: 'How often trips have taken the step. Null for a draft.' })
  taken: number | null;
  @Out('Int', { nullable: true, description: 'Number of trips in flight currently at this step.' })
  standing: number | null;
  @Out('Boolean', { description: 'Whether there are more such trips than counted.' }) isMore: boolean;
}

@Output({ graphql: 'FlowGraphEdge' })
class FlowGraphEdgeOutput {
  @Out('String') from: string;
  @Out('String') to: string;
  @Out('String', {
    nullable: true,
    description: 'The condition of the edge. Null if it is the only one.',
  })
  label: string | null;
  @Out('String', {
    nullable: true,
    description:
      'The branch of a condition or split: true, false, none, or the index of the branch or variant, starting ' +
      'at 0.',
  })
  way: string | null;
  @Out('Int', {
    nullable: true,
    description: 'Number of trips that a condition or split sent along this edge.',
  })
  taken: number | null;
}

@Output({ graphql: 'FlowGraph' })
export class FlowGraphOutput {
  @Out([FlowGraphNodeOutput]) nodes: FlowGraphNodeOutput[];
  @Out([FlowGraphEdgeOutput]) edges: FlowGraphEdgeOutput[];
  @Out('String', { description: 'The drawing as a standalone SVG.' }) svg: string;
  @Out('String', { description: 'The same graph as a Mermaid flowchart.' }) mermaid: string;
}

export function flowGraphOutput({ graph, counts, svg, mermaid }: DrawnGraph): FlowGraphOutput {
  return {
    nodes: graph.nodes.map((node) => {
      const stepCounts = node.stepId === null ? undefined : counts?.get(node.stepId);
      const zero = counts && node.stepId !== null ? 0 : null;
      return {
        ...node,
        taken: stepCounts?.taken ?? zero,
        standing: stepCounts?.standing ?? zero,
        isMore: stepCounts?.isMore ?? false,
      };
    }),
    edges: graph.edges.map((edge) => ({
      from: edge.from,
      to: edge.to,
      label: edge.label,
      way: edge.way,
      taken: (counts && edgeCount(edge, counts)) ?? null,
    })),
    svg,
    mermaid,
  };
}
