/** A flow as a graph, for drawing. */
import { Field, Int, ObjectType } from '@nestjs/graphql';
import { takenOn } from '../../flows/domain/flow-graph.js';
import type { DrawnGraph } from '../application/flow-graphs.js';

@ObjectType('FlowGraphNode', { description: 'Where trips enter, a step, or where they end.' })
export class FlowGraphNodeType {
  @Field({ description: 'Names it in edges.' }) id: string;
  @Field({ description: 'trigger, end, or the type of the step.' }) kind: string;
  @Field(() => Int, { nullable: true, description: 'Null for what is no step.' }) stepId: number | null;
  @Field() title: string;
  @Field({ description: 'What of its own it says, such as the template or the duration.' }) detail: string;
  @Field(() => Int, { nullable: true, description: 'How often trips have taken the step; null in a draft.' })
  taken: number | null;
  @Field(() => Int, { nullable: true, description: 'Trips under way that stand there now.' })
  standing: number | null;
  @Field({ description: 'Whether there are more of those than are counted.' }) isMore: boolean;
}

@ObjectType('FlowGraphEdge')
export class FlowGraphEdgeType {
  @Field() from: string;
  @Field() to: string;
  @Field(() => String, { nullable: true, description: 'What takes trips this way; null for the only one.' })
  label: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Which of the ways of a condition or a split: true, false, none, or the index of the branch or variant, from 0.',
  })
  way: string | null;
  @Field(() => Int, {
    nullable: true,
    description: 'How many trips a condition or a split has sent this way.',
  })
  taken: number | null;
}

@ObjectType('FlowGraph')
export class FlowGraphType {
  @Field(() => [FlowGraphNodeType]) nodes: FlowGraphNodeType[];
  @Field(() => [FlowGraphEdgeType]) edges: FlowGraphEdgeType[];
  @Field({ description: 'The drawing, which stands alone.' }) svg: string;
  @Field({ description: 'The same as a Mermaid flowchart.' }) mermaid: string;
}

export function flowGraphTypeOf({ graph, counts, svg, mermaid }: DrawnGraph): FlowGraphType {
  return {
    nodes: graph.nodes.map((node) => {
      const figures = node.stepId === null ? undefined : counts?.get(node.stepId);
      const none = counts && node.stepId !== null ? 0 : null;
      return {
        ...node,
        taken: figures?.taken ?? none,
        standing: figures?.standing ?? none,
        isMore: figures?.isMore ?? false,
      };
    }),
    edges: graph.edges.map((edge) => ({
      from: edge.from,
      to: edge.to,
      label: edge.label,
      way: edge.way,
      taken: (counts && takenOn(edge, counts)) ?? null,
    })),
    svg,
    mermaid,
  };
}
