/** GraphQL types for a flow as a graph. */
import { Field, Int, ObjectType } from '@nestjs/graphql';
import { edgeCount } from '../../flows/domain/flow-graph.js';
import type { DrawnGraph } from '../application/flow-graphs.js';

@ObjectType('FlowGraphNode', { description: 'The trigger, a step, or the end.' })
export class FlowGraphNodeType {
  @Field({ description: 'Identifies the node in edges.' }) id: string;
  @Field({ description: 'trigger, end, or the type of the step.' }) kind: string;
  @Field(() => Int, { nullable: true, description: 'Null if the node is not a step.' }) stepId: number | null;
  @Field() title: string;
  @Field({ description: 'Details of the step, such as the template or the duration.' }) detail: string;
  @Field(() => Int, { nullable: true, description: 'How often trips have taken the step. Null for a draft.' })
  taken: number | null;
  @Field(() => Int, { nullable: true, description: 'Number of trips in flight currently at this step.' })
  standing: number | null;
  @Field({ description: 'Whether there are more such trips than counted.' }) isMore: boolean;
}

@ObjectType('FlowGraphEdge')
export class FlowGraphEdgeType {
  @Field() from: string;
  @Field() to: string;
  @Field(() => String, {
    nullable: true,
    description: 'The condition of the edge. Null if it is the only one.',
  })
  label: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      'The branch of a condition or split: true, false, none, or the index of the branch or variant, starting ' +
      'at 0.',
  })
  way: string | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Number of trips that a condition or split sent along this edge.',
  })
  taken: number | null;
}

@ObjectType('FlowGraph')
export class FlowGraphType {
  @Field(() => [FlowGraphNodeType]) nodes: FlowGraphNodeType[];
  @Field(() => [FlowGraphEdgeType]) edges: FlowGraphEdgeType[];
  @Field({ description: 'The drawing as a standalone SVG.' }) svg: string;
  @Field({ description: 'The same graph as a Mermaid flowchart.' }) mermaid: string;
}

export function flowGraphTypeOf({ graph, counts, svg, mermaid }: DrawnGraph): FlowGraphType {
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
