/** Dead letters for the members who maintain the integration: list and requeue. */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { type Principal, ROLES } from '../../../kernel/principal.js';
import { connectionOf, type CountedConnection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { roleAllows } from '../../access/domain/permission.js';
import { Requires } from '../../access/requires.decorator.js';
import { DeadLetterService } from '../application/dead-letter.service.js';
import { PERMISSION_OF, type DeadLetter } from '../domain/dead-letter.js';
import {
  DeadLetterConnection,
  DeadLetterOutput,
  deadLetterOutput,
  RetriedWorkOutput,
} from '../output/dead-letter.output.js';

/** The name of the list in its cursors. */
const LIST = 'dead letters';

/** The roles that may requeue work of some kind. */
const REQUEUE_ROLES = ROLES.filter((role) =>
  Object.values(PERMISSION_OF).some((permission) => roleAllows(role, permission)),
);

@Resolver(() => DeadLetterOutput)
export class DeadLetterResolver {
  constructor(private readonly service: DeadLetterService) {}

  @Query(() => DeadLetterConnection, {
    complexity: COST.list,
    name: 'setAsideWork',
    description: 'Dead letters of the environment that the caller can requeue, newest first.',
  })
  @Requires({ roles: REQUEUE_ROLES })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<CountedConnection<DeadLetterOutput>> {
    const { first, after } = args;
    const { work, total } = await this.service.list(principal, {
      first,
      after: decodeCursor(LIST, after, KEY.none),
    });
    const edgeOf = (node: DeadLetter): Edge<DeadLetterOutput> => ({
      cursor: encodeCursor(LIST, { key: '', id: node.id }),
      node: deadLetterOutput(node),
    });
    return { ...connectionOf(work, args, edgeOf), totalCount: total };
  }

  @Mutation(() => RetriedWorkOutput, {
    name: 'retrySetAsideWork',
    complexity: COST.change,
    nullable: true,
    description:
      'Removes a dead letter and requeues its work if any is left to do. Null if no dead letter has this ID.',
  })
  @Requires({ roles: REQUEUE_ROLES, isWriting: true })
  async requeueDeadLetter(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<RetriedWorkOutput | null> {
    const work = await this.service.retry(principal, id);
    return work ? deadLetterOutput(work) : null;
  }
}
