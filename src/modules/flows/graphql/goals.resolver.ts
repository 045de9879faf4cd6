/** Goals of flows for the dashboard: the same methods that REST calls. */
import { Args, Context, ID, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { loader, type GraphqlContext } from '../../../platform/graphql/loaders.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { GoalService } from '../application/goal.service.js';
import {
  CreateGoalInput,
  goalChangesOf,
  newGoalOf,
  ReorderGoalsArgs,
  UpdateGoalInput,
} from '../input/goal.input.js';
import { FlowOutput } from '../output/flow.output.js';
import { GoalOutput } from '../output/goal.output.js';

const OF_FLOW = { type: () => ID, description: 'ID of the flow.' } as const;
const OF_GOAL = { type: () => ID, description: 'ID of the goal.' } as const;
const READ = { permission: 'flows:read', keyScopes: ['management'] } as const;
const WRITE = { permission: 'flows:write', keyScopes: ['management'] } as const;

@Resolver(() => FlowOutput)
export class GoalsResolver {
  constructor(private readonly service: GoalService) {}

  @ResolveField(() => [GoalOutput], {
    complexity: COST.record,
    description: 'Conversion goals in order; at most 50.',
  })
  @Requires(READ)
  async goals(
    @Parent() flow: FlowOutput,
    @CurrentPrincipal() principal: Principal,
    @Context() context: GraphqlContext,
  ): Promise<GoalOutput[]> {
    return loader(
      context,
      'flows.goals',
      () =>
        new DataLoader(async (ids: readonly string[]) => {
          const goals = await this.service.byFlow(scopeOf(principal), ids);
          return ids.map((id): GoalOutput[] => goals.get(id) ?? []);
        }),
    ).load(flow.id);
  }

  @Mutation(() => GoalOutput, {
    complexity: COST.change,
    description: 'Adds a goal at the end. A flow has at most 50 goals, and one per event.',
  })
  @Requires(WRITE)
  async createFlowGoal(
    @CurrentPrincipal() principal: Principal,
    @Args('flowId', OF_FLOW) flowId: string,
    @Args('input') input: CreateGoalInput,
  ): Promise<GoalOutput> {
    return this.service.create(scopeOf(principal), flowId, newGoalOf(input, 'graphql'));
  }

  @Mutation(() => GoalOutput, {
    complexity: COST.change,
    description: 'Updates a goal. Omitted fields do not change.',
  })
  @Requires(WRITE)
  async updateFlowGoal(
    @CurrentPrincipal() principal: Principal,
    @Args('flowId', OF_FLOW) flowId: string,
    @Args('goalId', OF_GOAL) goalId: string,
    @Args('input') input: UpdateGoalInput,
  ): Promise<GoalOutput> {
    return this.service.update(scopeOf(principal), flowId, goalId, goalChangesOf(input, 'graphql'));
  }

  @Mutation(() => Boolean, {
    complexity: COST.change,
    description: 'Deletes a goal; later goals move up. Returns true.',
  })
  @Requires(WRITE)
  async deleteFlowGoal(
    @CurrentPrincipal() principal: Principal,
    @Args('flowId', OF_FLOW) flowId: string,
    @Args('goalId', OF_GOAL) goalId: string,
  ): Promise<boolean> {
    await this.service.remove(scopeOf(principal), flowId, goalId);
    return true;
  }

  @Mutation(() => [GoalOutput], {
    complexity: COST.change,
    description: 'Reorders the goals of a flow.',
  })
  @Requires(WRITE)
  async reorderFlowGoals(
    @CurrentPrincipal() principal: Principal,
    @Args() { flowId, goalIds }: ReorderGoalsArgs,
  ): Promise<GoalOutput[]> {
    return this.service.reorder(scopeOf(principal), flowId, goalIds);
  }
}
