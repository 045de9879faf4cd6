/** Flows as graphs, for the dashboard to draw. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { invalidFields } from '../../../kernel/domain-error.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { newFlowOf } from '../../flows/input/flow.input.js';
import { FlowGraphs } from '../application/flow-graphs.js';
import { FlowGraphArgs } from '../input/flow-graph.input.js';
import { FlowGraphType, flowGraphTypeOf } from './flow-graph.type.js';

@Resolver()
export class FlowGraphResolver {
  constructor(private readonly graphs: FlowGraphs) {}

  @Query(() => FlowGraphType, {
    complexity: COST.search,
    description:
      'A flow, with what its trips came to at each step, or a draft that is not stored, as a graph and as a drawing.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async previewFlowGraph(
    @CurrentPrincipal() principal: Principal,
    @Args() { flowId, draft }: FlowGraphArgs,
  ): Promise<FlowGraphType> {
    if (flowId !== undefined && draft === undefined)
      return flowGraphTypeOf(await this.graphs.ofFlow(scopeOf(principal), flowId));
    if (draft !== undefined && flowId === undefined)
      return flowGraphTypeOf(this.graphs.ofDraft(newFlowOf(draft, 'graphql')));
    throw invalidFields([{ field: 'flowId', message: 'is given, or draft is, and not both' }]);
  }
}
