/** Dead letters for the members who maintain the integration: list and requeue. */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { cursorOf, KEY, placeOf } from '../../../kernel/place.js';
import { type Principal, ROLES } from '../../../kernel/principal.js';
import { connectionOf } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayRole } from '../../access/domain/permission.js';
import { Requires } from '../../access/requires.decorator.js';
import { SetAsideService } from '../application/set-aside.service.js';
import { PERMISSION_OF, type SetAsideWork } from '../domain/set-aside-work.js';
import {
  RetriedWorkType,
  setAsideWorkType,
  SetAsideWorkConnectionType,
  type SetAsideWorkEdgeType,
  SetAsideWorkType,
} from './set-aside-work.type.js';

/** The name of the list in its cursors. */
const LIST = 'dead letters';

/** The roles that may requeue work of some kind. */
const CARERS = ROLES.filter((role) =>
  Object.values(PERMISSION_OF).some((permission) => mayRole(role, permission)),
);

@Resolver(() => SetAsideWorkType)
export class SetAsideWorkResolver {
  constructor(private readonly service: SetAsideService) {}

  @Query(() => SetAsideWorkConnectionType, {
    complexity: COST.list,
    name: 'setAsideWork',
    description: 'Dead letters of the environment that the caller can requeue, newest first.',
  })
  @Requires({ roles: CARERS })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<SetAsideWorkConnectionType> {
    const { first, after } = args;
    const { work, total } = await this.service.list(principal, {
      first,
      after: placeOf(LIST, after, KEY.none),
    });
    const edgeOf = (node: SetAsideWork): SetAsideWorkEdgeType => ({
      cursor: cursorOf(LIST, { key: '', id: node.id }),
      node: setAsideWorkType(node),
    });
    return { ...connectionOf(work, args, edgeOf), totalCount: total };
  }

  @Mutation(() => RetriedWorkType, {
    complexity: COST.change,
    nullable: true,
    description:
      'Removes a dead letter and requeues its work if any is left to do. Null if no dead letter has this ID.',
  })
  @Requires({ roles: CARERS, isWriting: true })
  async retrySetAsideWork(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<RetriedWorkType | null> {
    const work = await this.service.retry(principal, id);
    return work ? { ...setAsideWorkType(work), isPutBack: work.isPutBack } : null;
  }
}
