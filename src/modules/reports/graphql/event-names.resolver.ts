/** Event names for the dashboard's pickers. */
import { Args, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { PageArgs } from '../../../platform/input/page.input.js';
import { connection } from '../../../platform/output/pages.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { EventNameService } from '../application/event-name.service.js';

const EventNameConnection = connection('EventName', 'String');

/** The name that its cursors carry. */
const LIST = 'event names';
/** The name alone is a position in the list. */
const noId = (id: unknown): id is string => id === '';

@Resolver()
export class EventNamesResolver {
  constructor(private readonly names: EventNameService) {}

  @Query(() => EventNameConnection, {
    complexity: COST.list,
    description: 'Event names seen in the environment, sorted.',
  })
  @Requires({ permission: 'flows:read' })
  async eventNames(
    @CurrentPrincipal() principal: Principal,
    @Args() args: PageArgs,
  ): Promise<Connection<Edge<string>>> {
    const page = { first: args.first, after: decodeCursor(LIST, args.after, KEY.text, noId) };
    return connectionOf(await this.names.page(scopeOf(principal), page), args, (name) => ({
      cursor: encodeCursor(LIST, { key: name, id: '' }),
      node: name,
    }));
  }
}
