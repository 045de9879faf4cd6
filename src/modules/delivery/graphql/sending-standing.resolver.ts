/** Promotional mail that stops by itself, for those who look after a workspace's mail. */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { SendingStandings } from '../application/sending-standings.js';
import { ResumePromotionalMailArgs } from '../input/sending-standing.input.js';
import { SendingStandingType, sendingStandingTypeOf } from './sending-standing.type.js';

@Resolver(() => SendingStandingType)
export class SendingStandingResolver {
  constructor(private readonly standings: SendingStandings) {}

  @Query(() => SendingStandingType, {
    complexity: COST.list,
    description:
      'How the environment’s promotional mail stands: what came back of it, and whether it is paused.',
  })
  @Requires({ permission: 'email_logs:read' })
  async sendingStanding(@CurrentPrincipal() principal: Principal): Promise<SendingStandingType> {
    return sendingStandingTypeOf(await this.standings.shown(scopeOf(principal)));
  }

  @Mutation(() => SendingStandingType, {
    complexity: COST.change,
    description:
      'Has promotional mail go on that has stopped by itself; what is held is sent. What came back until now counts no ' +
      'more. Refused with conflict where it is not paused, or was paused twice within a week and not yet for a day.',
  })
  @Requires({ roles: ['owner', 'admin'] })
  async resumePromotionalMail(
    @CurrentPrincipal() principal: Principal,
    @Args() { note }: ResumePromotionalMailArgs,
  ): Promise<SendingStandingType> {
    const by = actorOf(principal);
    return sendingStandingTypeOf(await this.standings.resume(scopeOf(principal), by, note ?? null));
  }
}
