/** Lists messages for the dashboard, and resends one whose outcome is unknown. */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { encodeCursor, KEY, decodeCursor } from '../../../kernel/page-cursor.js';
import { type Principal, scopeOf } from '../../../kernel/principal.js';
import { connectionOf, type Connection, type Edge } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { EmailLogService } from '../application/email-log.service.js';
import { EmailLogsArgs } from '../input/email-log-list.input.js';
import { EmailLogConnection, EmailLogOutput, emailLogOutput } from '../output/email-log.output.js';

/** The name of this list in its cursors. */
const LIST = 'email logs';

@Resolver(() => EmailLogOutput)
export class EmailLogsResolver {
  constructor(private readonly emailLogs: EmailLogService) {}

  @Query(() => EmailLogConnection, {
    complexity: COST.list,
    name: 'emailLogs',
    description: 'Messages of the environment, newest first.',
  })
  @Requires({ permission: 'email_logs:read' })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Args() args: EmailLogsArgs,
  ): Promise<Connection<Edge<EmailLogOutput>>> {
    const { filter, first, after } = args;
    const slice = await this.emailLogs.list(
      scopeOf(principal),
      {
        status: filter?.status,
        sourceIds: filter?.flowId === undefined ? [] : [filter.flowId],
        contactIds: filter?.contactId === undefined ? undefined : [filter.contactId],
      },
      { first, after: decodeCursor(LIST, after, KEY.none) },
    );
    return connectionOf(slice, args, (log) => ({
      cursor: encodeCursor(LIST, { key: '', id: log.id }),
      node: emailLogOutput(log),
    }));
  }

  @Query(() => EmailLogOutput, {
    complexity: COST.record,
    name: 'emailLog',
    nullable: true,
    description: 'Retrieves a message by its ID.',
  })
  @Requires({ permission: 'email_logs:read' })
  async one(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<EmailLogOutput | null> {
    const log = await this.emailLogs.find(scopeOf(principal), id);
    return log ? emailLogOutput(log) : null;
  }

  @Mutation(() => EmailLogOutput, {
    complexity: COST.change,
    description:
      'Sends a message whose outcome is unknown again, with the same Message-ID. Returns conflict for any ' +
      'other message.',
  })
  @Requires({ permission: 'email_logs:write' })
  async resendUnknown(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<EmailLogOutput> {
    return emailLogOutput(await this.emailLogs.resendUnknown(scopeOf(principal), id));
  }
}
