/** The names of events for the dashboard's pickers. */
import { Query, Resolver } from '@nestjs/graphql';
import { COST } from '../../../platform/graphql/costs.js';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { EventNameService } from '../application/event-name.service.js';

@Resolver()
export class EventNamesResolver {
  constructor(private readonly names: EventNameService) {}

  @Query(() => [String], {
    complexity: COST.list,
    description: 'The names of events that the environment has seen, sorted; at most 1,000.',
  })
  @Requires({ permission: 'flows:read' })
  async eventNames(@CurrentPrincipal() principal: Principal): Promise<string[]> {
    return this.names.seen(scopeOf(principal));
  }
}
