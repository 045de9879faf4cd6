/** The list of suppressed addresses in GraphQL, for the people who manage a workspace's mail. */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { SuppressionList } from '../application/suppression-list.js';
import { AddSuppressionInput, RemoveSuppressionInput, SuppressionsArgs } from '../input/suppression.input.js';
import { SuppressionConnection, SuppressionOutput, suppressionOutput } from '../output/suppression.output.js';

/** List name in its cursors. */
const LIST = 'suppressions';

@Resolver(() => SuppressionOutput)
export class SuppressionsResolver {
  constructor(private readonly list: SuppressionList) {}

  @Query(() => SuppressionConnection, {
    complexity: COST.list,
    description: 'Suppressed addresses of the environment, newest first.',
  })
  @Requires({ permission: 'email_logs:read', keyScopes: ['management'] })
  async suppressions(
    @CurrentPrincipal() principal: Principal,
    @Args() args: SuppressionsArgs,
  ): Promise<Connection<Edge<SuppressionOutput>>> {
    const { first, after, filter } = args;
    const showsAddresses = mayReadContacts(principal);
    // Callers that may not see addresses must not find them by a search either.
    if (filter?.email !== undefined && !showsAddresses)
      throw new DomainError('missing_permission', 'Searching by address requires contacts:read.', {
        required_permission: 'contacts:read',
      });
    const slice = await this.list.list(scopeOf(principal), filter ?? {}, {
      first,
      after: decodeCursor(LIST, after, KEY.moment),
    });
    return connectionOf(slice, args, (row) => ({
      cursor: encodeCursor(LIST, { key: row.since.toISOString(), id: row.id }),
      node: suppressionOutput(row, showsAddresses),
    }));
  }

  @Mutation(() => SuppressionOutput, {
    complexity: COST.change,
    description: 'Adds an address to the suppression list. An address already on the list does not change.',
  })
  @Requires({ permission: 'email_logs:write', keyScopes: ['management'] })
  async addSuppression(
    @CurrentPrincipal() principal: Principal,
    @Args('input') { email, note }: AddSuppressionInput,
  ): Promise<SuppressionOutput> {
    const item = { email, note: note ?? null, by: actorOf(principal) };
    return suppressionOutput(await this.list.add(scopeOf(principal), item), mayReadContacts(principal));
  }

  @Mutation(() => SuppressionOutput, {
    complexity: COST.change,
    description:
      'Removes an address from the suppression list, whatever its reason. A new bounce or complaint adds it ' +
      'again.',
  })
  @Requires({ permission: 'email_logs:write', keyScopes: ['management'] })
  async removeSuppression(
    @CurrentPrincipal() principal: Principal,
    @Args('input') { id, note }: RemoveSuppressionInput,
  ): Promise<SuppressionOutput> {
    const removed = await this.list.remove(scopeOf(principal), id, {
      note: note ?? null,
      by: actorOf(principal),
    });
    return suppressionOutput(removed, mayReadContacts(principal));
  }
}
