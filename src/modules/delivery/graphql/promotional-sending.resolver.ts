/** Promotional mail that stops by itself, for those who look after a workspace's mail. */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Author, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { PromotionalSendings } from '../application/promotional-sendings.js';
import { ResumePromotionalMailArgs } from '../input/promotional-sending.input.js';
import { PromotionalSendingType, promotionalSendingTypeOf } from './promotional-sending.type.js';

@Resolver(() => PromotionalSendingType)
export class PromotionalSendingResolver {
  constructor(private readonly standings: PromotionalSendings) {}

  @Query(() => PromotionalSendingType, {
    complexity: COST.list,
    description:
      'How the environment’s promotional mail stands: what came back of it, and whether it is paused.',
  })
  @Requires({ permission: 'email_logs:read' })
  async promotionalSending(@CurrentPrincipal() principal: Principal): Promise<PromotionalSendingType> {
    return promotionalSendingTypeOf(await this.standings.shown(scopeOf(principal)));
  }

  @Mutation(() => PromotionalSendingType, {
    complexity: COST.change,
    description:
      'Has promotional mail go on that has stopped by itself; what is held is sent. What came back until now counts no ' +
      'more. Refused with conflict where it is not paused, or was paused twice within a week and not yet for a day.',
  })
  @Requires({ roles: ['owner', 'admin'], isWriting: true })
  async resumePromotionalMail(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args() { note }: ResumePromotionalMailArgs,
  ): Promise<PromotionalSendingType> {
    return promotionalSendingTypeOf(await this.standings.resume(scopeOf(principal), author, note ?? null));
  }
}
