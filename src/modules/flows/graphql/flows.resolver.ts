/** Flows for the dashboard: the same methods that REST calls. */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor, sliceOf } from '../../../kernel/page-cursor.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import {
  connectionOf,
  type Connection,
  type CountedConnection,
  type Edge,
} from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { planOf } from '../../limits/domain/plan.js';
import { assertMayCheckAddresses } from '../domain/address-checks.js';
import { FlowService } from '../application/flow.service.js';
import type { FlowCounts, ListedFlow, TripTotals } from '../domain/flow-filter.js';
import {
  CreateFlowInput,
  flowSettingsOf,
  FlowSettingsInput,
  flowUpdateOf,
  newFlowOf,
  UpdateFlowInput,
} from '../input/flow.input.js';
import { flowFilterOf, FlowsArgs } from '../input/flow-list.input.js';
import { FlowConnection, FlowOutput, FlowTagConnection } from '../output/flow.output.js';

/** List names in their cursors. */
const LIST = 'flows';
const TAGS = 'tags of flows';
/** The tag alone is the position in their list. */
const noId = (id: unknown): id is string => id === '';

@Resolver(() => FlowOutput)
export class FlowsResolver {
  constructor(private readonly service: FlowService) {}

  @Query(() => FlowConnection, {
    complexity: COST.search,
    description: 'Flows, most recently updated first, with counts by status.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async flows(
    @CurrentPrincipal() principal: Principal,
    @Args() args: FlowsArgs,
  ): Promise<CountedConnection<FlowOutput> & { readonly counts: FlowCounts }> {
    const after = decodeCursor(LIST, args.after, KEY.moment);
    const page = { limit: args.first + 1, offset: 0, after };
    const list = await this.service.list(scopeOf(principal), flowFilterOf(args.filter), page);
    const edgeOf = (flow: ListedFlow): Edge<FlowOutput> & TripTotals => ({
      cursor: encodeCursor(LIST, { key: flow.updatedAt.toISOString(), id: flow.id }),
      node: flow,
      tripsStarted: flow.tripsStarted,
      tripsCompleted: flow.tripsCompleted,
    });
    const { counts, total } = list;
    return { ...connectionOf(sliceOf(list.flows, args.first), args, edgeOf), counts, totalCount: total };
  }

  @Query(() => FlowOutput, {
    complexity: COST.record,
    description: 'Retrieves a flow. Returns flow_not_found if it does not exist.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async flow(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<FlowOutput> {
    return this.service.get(scopeOf(principal), id);
  }

  @Query(() => FlowTagConnection, {
    complexity: COST.search,
    description: 'Distinct tags of all flows that are not archived, sorted.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async flowTags(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<Connection<Edge<string>>> {
    const page = { first: args.first, after: decodeCursor(TAGS, args.after, KEY.text, noId) };
    const tags = await this.service.tags(scopeOf(principal));
    const index = page.after === null ? -1 : tags.indexOf(page.after.key);
    return connectionOf(sliceOf(tags.slice(index + 1), page.first), args, (tag) => ({
      cursor: encodeCursor(TAGS, { key: tag, id: '' }),
      node: tag,
    }));
  }

  @Mutation(() => FlowOutput, {
    complexity: COST.change,
    description: 'Creates a flow as a draft with version 1.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async createFlow(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: CreateFlowInput,
  ): Promise<FlowOutput> {
    const [plan, flow] = [planOf(principal.plan), newFlowOf(input, 'graphql')];
    assertMayCheckAddresses(principal, flow.steps);
    return this.service.create(scopeOf(principal), plan, flow, actorOf(principal));
  }

  @Mutation(() => FlowOutput, {
    complexity: COST.computation,
    description:
      'Updates a flow. The previous state is saved as a version, and trips in flight continue on it. New steps ' +
      'of an active flow need templates that can be sent.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async updateFlow(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: UpdateFlowInput,
  ): Promise<FlowOutput> {
    const { update, changeSummary } = flowUpdateOf(input, 'graphql');
    assertMayCheckAddresses(principal, update.steps);
    const note = { changedBy: actorOf(principal), changeSummary };
    return this.service.update(scopeOf(principal), id, update, note);
  }

  @Mutation(() => FlowOutput, {
    complexity: COST.change,
    description: 'Replaces the settings of a flow. Does not create a version.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async updateFlowSettings(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('settings') settings: FlowSettingsInput,
  ): Promise<FlowOutput> {
    return this.service.updateSettings(scopeOf(principal), id, flowSettingsOf(settings));
  }

  @Mutation(() => FlowOutput, {
    complexity: COST.change,
    description: 'Duplicates a flow and its goals as a draft with version 1.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async duplicateFlow(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<FlowOutput> {
    const plan = planOf(principal.plan);
    return this.service.duplicate(scopeOf(principal), plan, id, actorOf(principal));
  }
}
