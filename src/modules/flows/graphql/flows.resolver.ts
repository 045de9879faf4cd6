/** Flows for the dashboard: the same methods that REST calls. */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { cursorOf, KEY, placeOf, sliceOf } from '../../../kernel/place.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { connectionOf } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { planOf } from '../../limits/domain/plan.js';
import { FlowService } from '../application/flow.service.js';
import type { ListedFlow } from '../domain/flow-filter.js';
import { CreateFlowInput, newFlowOf } from '../input/flow.input.js';
import { flowFilterOf, FlowsArgs } from '../input/flow-list.input.js';
import { FlowConnectionType, flowEdgeOf, type FlowEdgeType, FlowType, flowTypeOf } from './flow.type.js';

/** Names its cursors. */
const LIST = 'flows';

@Resolver(() => FlowType)
export class FlowsResolver {
  constructor(private readonly service: FlowService) {}

  @Query(() => FlowConnectionType, {
    complexity: COST.search,
    description: 'Flows, the most recently updated first, with counts by status.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async flows(
    @CurrentPrincipal() principal: Principal,
    @Args() args: FlowsArgs,
  ): Promise<FlowConnectionType> {
    const after = placeOf(LIST, args.after, KEY.moment);
    const page = { limit: args.first + 1, offset: 0, after };
    const list = await this.service.list(scopeOf(principal), flowFilterOf(args.filter), page);
    const edgeOf = (flow: ListedFlow): FlowEdgeType =>
      flowEdgeOf(flow, cursorOf(LIST, { key: flow.updatedAt.toISOString(), id: flow.id }));
    const { counts, total } = list;
    return { ...connectionOf(sliceOf(list.flows, args.first), args, edgeOf), counts, totalCount: total };
  }

  @Query(() => FlowType, {
    complexity: COST.record,
    description: 'One flow; an error with the code flow_not_found when there is none.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async flow(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<FlowType> {
    return flowTypeOf(await this.service.get(scopeOf(principal), id));
  }

  @Mutation(() => FlowType, { complexity: COST.change, description: 'Makes a flow: a draft of version 1.' })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async createFlow(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: CreateFlowInput,
  ): Promise<FlowType> {
    const plan = planOf(principal.plan);
    return flowTypeOf(
      await this.service.create(scopeOf(principal), plan, newFlowOf(input, 'graphql'), actorOf(principal)),
    );
  }

  @Mutation(() => FlowType, {
    complexity: COST.computation,
    description: 'Activates a draft, paused or stopped flow.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async activateFlow(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<FlowType> {
    return flowTypeOf(await this.service.activate(scopeOf(principal), id));
  }

  @Mutation(() => FlowType, {
    complexity: COST.change,
    description: 'Pauses an active flow: no new trips, those in flight go on.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async pauseFlow(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<FlowType> {
    return flowTypeOf(await this.service.pause(scopeOf(principal), id));
  }

  @Mutation(() => FlowType, {
    complexity: COST.sweep,
    description: 'Stops an active flow: all of its trips end at once.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async stopFlow(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<FlowType> {
    return flowTypeOf(await this.service.stop(scopeOf(principal), id, actorOf(principal)));
  }
}
