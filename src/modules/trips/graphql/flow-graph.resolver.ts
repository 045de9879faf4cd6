/** GraphQL query for flows as graphs, which the dashboard draws. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { eitherOf } from '../../../platform/input/either-of.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { newFlowOf } from '../../flows/input/flow.input.js';
import { FlowGraphs } from '../application/flow-graphs.js';
import { FlowGraphArgs } from '../input/flow-graph.input.js';
import { FlowGraphOutput, flowGraphOutput } from '../output/flow-graph.output.js';

@Resolver()
export class FlowGraphResolver {
  constructor(private readonly graphs: FlowGraphs) {}

  @Query(() => FlowGraphOutput, {
    complexity: COST.search,
    description:
      'A flow with counts of its trips at each step, or an unsaved draft, as a graph and as a drawing.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async previewFlowGraph(
    @CurrentPrincipal() principal: Principal,
    @Args() args: FlowGraphArgs,
  ): Promise<FlowGraphOutput> {
    const given = eitherOf(args, 'flowId', 'draft');
    return flowGraphOutput(
      'flowId' in given
        ? await this.graphs.ofFlow(scopeOf(principal), given.flowId)
        : this.graphs.ofDraft(newFlowOf(given.draft, 'graphql')),
    );
  }
}
