/** A flow's version history for the dashboard. */
import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { connectionOf, type CountedConnection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { FlowVersionsService } from '../application/flow-versions.service.js';
import { readRestoreOptions, RestoreFlowInput } from '../input/flow.input.js';
import type { RestoreOptions } from '../domain/flow-version.js';
import { FlowVersionArgs, FlowVersionsArgs } from '../input/flow-list.input.js';
import { FlowOutput } from '../output/flow.output.js';
import {
  FlowVersionConnection,
  FlowVersionOutput,
  type FlowVersionSummaryOutput,
} from '../output/flow-version.output.js';

/** List name in its cursors. */
const LIST = 'versions of a flow';

@Resolver()
export class FlowVersionsResolver {
  constructor(private readonly service: FlowVersionsService) {}

  @Query(() => FlowVersionConnection, {
    complexity: COST.list,
    description: 'Versions of a flow, newest first.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async flowVersions(
    @CurrentPrincipal() principal: Principal,
    @Args() args: FlowVersionsArgs,
  ): Promise<CountedConnection<FlowVersionSummaryOutput>> {
    const page = { first: args.first, after: decodeCursor(LIST, args.after, KEY.number) };
    const { versions, total } = await this.service.page(scopeOf(principal), args.flowId, page);
    const edgeOf = (version: FlowVersionSummaryOutput): Edge<FlowVersionSummaryOutput> => ({
      cursor: encodeCursor(LIST, { key: String(version.version), id: version.id }),
      node: version,
    });
    return { ...connectionOf(versions, args, edgeOf), totalCount: total };
  }

  @Query(() => FlowVersionOutput, {
    complexity: COST.body,
    description:
      'Retrieves the latest snapshot of a version. Returns flow_version_not_found if it does not exist.',
  })
  @Requires({ permission: 'flows:read', keyScopes: ['management'] })
  async flowVersion(
    @CurrentPrincipal() principal: Principal,
    @Args() { flowId, version }: FlowVersionArgs,
  ): Promise<FlowVersionOutput> {
    return this.service.get(scopeOf(principal), flowId, version);
  }

  @Mutation(() => FlowOutput, {
    complexity: COST.change,
    description:
      'Restores a version of a draft, paused or stopped flow as a new version. Trips do not change.',
  })
  @Requires({ permission: 'flows:write', keyScopes: ['management'] })
  async restoreFlowVersion(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('version', { type: () => Int }) version: number,
    @Args('input', { type: () => RestoreFlowInput, defaultValue: {} }) input: unknown,
  ): Promise<FlowOutput> {
    const readOptions = (): RestoreOptions => readRestoreOptions(input, 'graphql');
    return this.service.restore(scopeOf(principal), id, version, principal, readOptions);
  }
}
