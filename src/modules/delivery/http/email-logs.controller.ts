/** REST of email logs, section 4.10: sending one once more. */
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { ResendService } from '../application/resend.service.js';
import { presentResend, ResendResponse } from './direct-send.presenter.js';

@ApiTags('send')
@Controller('v1/email-logs')
export class EmailLogsController {
  constructor(private readonly resends: ResendService) {}

  @Post(':id/resend')
  @HttpCode(200)
  @Requires({ permission: 'email_logs:write', keyScopes: ['management'] })
  @ApiOperation({ summary: 'Send a message once more' })
  @ApiOkResponse({ type: ResendResponse })
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
  async resend(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<ResendResponse> {
    return presentResend(await this.resends.resend(scopeOf(principal), principal.plan, id));
  }
}
