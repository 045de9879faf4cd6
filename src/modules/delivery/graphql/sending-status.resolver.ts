/** The state of sending, which the dashboard polls. */
import { Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { SendingStatusService } from '../application/sending-status.service.js';
import { SendingStatusOutput } from '../output/sending-status.output.js';

@Resolver()
export class SendingStatusResolver {
  constructor(private readonly status: SendingStatusService) {}

  @Query(() => SendingStatusOutput, {
    complexity: COST.search,
    description:
      'State of the environment’s sending: waiting messages, throughput of the last minutes, and domains that ' +
      'defer mail.',
  })
  @Requires({ permission: 'analytics:read' })
  async sendingStatus(@CurrentPrincipal() principal: Principal): Promise<SendingStatusOutput> {
    return this.status.of(scopeOf(principal));
  }
}
