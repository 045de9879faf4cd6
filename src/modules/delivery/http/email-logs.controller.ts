/** REST endpoints of email logs, section 4.10: read them, and resend one. */
import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { EmailLogSearchService } from '../application/email-log-search.service.js';
import { EmailLogService } from '../application/email-log.service.js';
import { ResendService } from '../application/resend.service.js';
import { EmailLogListQuery, MAX_EMAIL_LOG_OFFSET } from '../input/email-log-list.input.js';
import { EmailLogListOutput, EmailLogOutput, emailLogOutput } from '../output/email-log.output.js';
import { ResendOutput } from '../output/requested-message.output.js';

@ApiTags('send')
@Controller('v1/email-logs')
export class EmailLogsController {
  constructor(
    private readonly emailLogs: EmailLogService,
    private readonly searches: EmailLogSearchService,
    private readonly resends: ResendService,
  ) {}

  @Get()
  @Requires({ permission: 'email_logs:read', keyScopes: ['data'] })
  @ApiOperation({ summary: 'List messages and their outcomes, newest first' })
  @ApiOkResponse({ type: EmailLogListOutput })
  @ApiErrors('invalid_field', 'missing_permission', 'insufficient_scope')
  async list(@CurrentPrincipal() principal: Principal, @Query() query: EmailLogListQuery): Promise<object> {
    const { limit, offset, contactId, flowId, campaignId, ...rest } = query;
    const search = {
      ...rest,
      sourceIds: [flowId, campaignId].filter((id) => id !== undefined),
      contactIds: contactId === undefined ? undefined : [contactId],
    };
    const { logs, total } = await this.searches.page(
      scopeOf(principal),
      search,
      { limit, offset },
      MAX_EMAIL_LOG_OFFSET,
    );
    return restOf(EmailLogListOutput, { emailLogs: logs.map(emailLogOutput), total, limit, offset });
  }

  @Get(':id')
  @Requires({ permission: 'email_logs:read', keyScopes: ['data'] })
  @ApiOperation({ summary: 'Retrieve a message and its outcome' })
  @ApiOkResponse({ type: EmailLogOutput })
  @ApiErrors('email_log_not_found', 'missing_permission', 'insufficient_scope')
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(EmailLogOutput, emailLogOutput(await this.emailLogs.get(scopeOf(principal), id)));
  }

  @Post(':id/resend')
  @HttpCode(200)
  @Requires({ permission: 'email_logs:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Resend a message' })
  @ApiOkResponse({ type: ResendOutput })
  @ApiErrors(
    'email_log_not_found',
    'template_not_found',
    'conflict',
    'invalid_field',
    'template_errors',
    'work_too_costly',
    'plan_limit_reached',
    'workspace_suspended',
    'missing_permission',
    'insufficient_scope',
  )
  async resend(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    const message = await this.resends.resend(scopeOf(principal), principal.plan, id);
    return restOf(ResendOutput, { ...message, success: message.status === 'queued' });
  }
}
