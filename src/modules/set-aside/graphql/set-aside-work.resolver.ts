/** Set-aside work for those who look after the integration: seen, and put back by hand. */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { cursorOf, KEY, placeOf } from '../../../kernel/place.js';
import { type Principal, scopeOf } from '../../../kernel/principal.js';
import { connectionOf } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { SetAsideService } from '../application/set-aside.service.js';
import type { SetAsideWork } from '../domain/set-aside-work.js';
import {
  setAsideWorkType,
  SetAsideWorkConnectionType,
  type SetAsideWorkEdgeType,
  SetAsideWorkType,
} from './set-aside-work.type.js';

/** Names its cursors. */
const LIST = 'set-aside work';

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
    @Args() args: PageArgs,
  ): Promise<SetAsideWorkConnectionType> {
    const { first, after } = args;
    const { work, total } = await this.service.list(scopeOf(principal), {
      first,
      after: placeOf(LIST, after, KEY.none),
    });
    const edgeOf = (node: SetAsideWork): SetAsideWorkEdgeType => ({
      cursor: cursorOf(LIST, { key: '', id: node.id }),
      node: setAsideWorkType(node),
    });
    return { ...connectionOf(work, args, edgeOf), totalCount: total };
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
