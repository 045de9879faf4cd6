/** Set-aside work for those who look after the integration: seen, and put back by hand. */
import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { type Principal, scopeOf } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { SetAsideService } from '../application/set-aside.service.js';
import {
  setAsideWorkType,
  SetAsideWorkConnectionType,
  SetAsideWorkType,
  type SetAsideWorkEdgeType,
} from './set-aside-work.type.js';

const LARGEST_PAGE = 100;

@Resolver(() => SetAsideWorkType)
export class SetAsideWorkResolver {
  constructor(private readonly service: SetAsideService) {}

  @Query(() => SetAsideWorkConnectionType, {
    complexity: COST.list,
    name: 'setAsideWork',
    description: 'Work of the environment that was set aside, the latest first.',
  })
  @Requires({ roles: ['owner', 'admin', 'developer'] })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Args('first', { type: () => Int, defaultValue: 50 }) first: number,
    @Args('after', { type: () => String, nullable: true }) after: string | null,
  ): Promise<SetAsideWorkConnectionType> {
    const size = Math.min(Math.max(first, 1), LARGEST_PAGE);
    const { work, hasNextPage, total } = await this.service.list(scopeOf(principal), size, after ?? null);
    const edges = work.map((one): SetAsideWorkEdgeType => ({ cursor: one.id, node: setAsideWorkType(one) }));
    return { edges, pageInfo: { hasNextPage, endCursor: edges.at(-1)?.cursor ?? null }, totalCount: total };
  }

  @Mutation(() => SetAsideWorkType, {
    complexity: COST.change,
    nullable: true,
    description:
      'Puts set-aside work back into its queue and takes it off the list; null when there is none of that id.',
  })
  @Requires({ permission: 'events:write' })
  async retrySetAsideWork(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<SetAsideWorkType | null> {
    const work = await this.service.retry(scopeOf(principal), id);
    return work ? setAsideWorkType(work) : null;
  }
}
