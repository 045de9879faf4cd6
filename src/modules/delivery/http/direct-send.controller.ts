/** REST endpoints of direct sends, section 4.10. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { DirectSendService } from '../application/direct-send.service.js';
import { DirectSendInput, directSendOf } from '../input/direct-send.input.js';
import { DirectSendOutput, directSendOutput } from '../output/requested-message.output.js';

@ApiTags('send')
@Controller('v1/send')
export class DirectSendController {
  constructor(private readonly sends: DirectSendService) {}

  @Post()
  @HttpCode(200)
  @Requires({ permission: 'events:write', keyScopes: ['data'] })
  @ApiOperation({ summary: 'Send a template to one contact; the contact is upserted' })
  @ApiOkResponse({ type: DirectSendOutput })
  @ApiErrors(
    'validation_error',
    'invalid_email',
    'template_not_found',
    'duplicate_event',
    'invalid_field',
    'template_errors',
    'work_too_costly',
    'plan_limit_reached',
    'workspace_suspended',
    'missing_permission',
    'insufficient_scope',
  )
  async send(@CurrentPrincipal() principal: Principal, @Body() input: DirectSendInput): Promise<object> {
    const message = await this.sends.send(scopeOf(principal), principal.plan, directSendOf(input));
    return restOf(DirectSendOutput, directSendOutput(message));
  }
}
