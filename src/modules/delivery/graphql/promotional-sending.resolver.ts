/** The automatic pause of promotional mail, for the people who manage a workspace's mail. */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql';
import { scopeOf, type Author, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { PromotionalSendings } from '../application/promotional-sendings.js';
import { ResumePromotionalMailArgs } from '../input/promotional-sending.input.js';
import { PromotionalSendingOutput, promotionalSendingOutput } from '../output/promotional-sending.output.js';

@Resolver(() => PromotionalSendingOutput)
export class PromotionalSendingResolver {
  constructor(private readonly service: PromotionalSendings) {}

  @Query(() => PromotionalSendingOutput, {
    complexity: COST.list,
    description:
      'Whether promotional mail of the environment is paused, with its bounce and complaint rates.',
  })
  @Requires({ permission: 'email_logs:read' })
  async promotionalSending(@CurrentPrincipal() principal: Principal): Promise<PromotionalSendingOutput> {
    return promotionalSendingOutput(await this.service.status(scopeOf(principal)));
  }

  @Mutation(() => PromotionalSendingOutput, {
    complexity: COST.change,
    description:
      'Resumes promotional mail that was paused automatically, and sends the held messages. Earlier bounces ' +
      'and complaints no longer count. Returns conflict if promotional mail is not paused, or if it was paused ' +
      'twice within a week and the current pause is less than a day old.',
  })
  @Requires({ roles: ['owner', 'admin'], isWriting: true })
  async resumePromotionalMail(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Args() { note }: ResumePromotionalMailArgs,
  ): Promise<PromotionalSendingOutput> {
    return promotionalSendingOutput(await this.service.resume(scopeOf(principal), author, note ?? null));
  }
}
