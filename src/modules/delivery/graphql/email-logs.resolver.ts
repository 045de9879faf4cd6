/** Messages for the dashboard, and the resending of one whose fate is unknown. */
import { Args, ID, Int, Mutation, Query, Resolver } from '@nestjs/graphql';
import { type Principal, scopeOf } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { EmailLogService } from '../application/email-log.service.js';
import { EmailLogFilterInput, EmailLogPageType, EmailLogType, emailLogTypeOf } from './email-log.type.js';

const LARGEST_PAGE = 200;

@Resolver(() => EmailLogType)
export class EmailLogsResolver {
  constructor(private readonly emailLogs: EmailLogService) {}

  @Query(() => EmailLogPageType, {
    complexity: COST.list,
    name: 'emailLogs',
    description: 'Messages of the environment, newest first.',
  })
  @Requires({ permission: 'email_logs:read' })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Args('filter', { type: () => EmailLogFilterInput, nullable: true }) filter: EmailLogFilterInput | null,
    @Args('limit', { type: () => Int, defaultValue: 50 }) limit: number,
    @Args('after', { type: () => String, nullable: true }) after: string | null,
  ): Promise<EmailLogPageType> {
    const { logs, nextCursor } = await this.emailLogs.list(
      scopeOf(principal),
      {
        status: filter?.status ?? undefined,
        sourceId: filter?.flowId ?? undefined,
        contactId: filter?.contactId ?? undefined,
      },
      { limit: Math.min(Math.max(limit, 1), LARGEST_PAGE), after: after ?? undefined },
    );
    return { emailLogs: logs.map(emailLogTypeOf), nextCursor };
  }

  @Query(() => EmailLogType, {
    complexity: COST.record,
    name: 'emailLog',
    nullable: true,
    description: 'One message by its id.',
  })
  @Requires({ permission: 'email_logs:read' })
  async one(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<EmailLogType | null> {
    const log = await this.emailLogs.find(scopeOf(principal), id);
    return log ? emailLogTypeOf(log) : null;
  }

  @Mutation(() => EmailLogType, {
    complexity: COST.change,
    description:
      'Sends a message of unknown fate once more, under the same Message-ID; any other is refused with conflict.',
  })
  @Requires({ permission: 'email_logs:write' })
  async resendUnknown(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<EmailLogType> {
    return emailLogTypeOf(await this.emailLogs.resendUnknown(scopeOf(principal), id));
  }
}
