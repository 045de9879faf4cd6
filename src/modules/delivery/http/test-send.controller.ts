/** REST endpoint of test emails, section 4.3. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { TestSendService } from '../application/test-send.service.js';
import { TestEmailInput, testSendOf } from '../input/test-send.input.js';
import { TestSendOutput } from '../output/test-send.output.js';

@ApiTags('templates')
@ApiErrors('missing_permission', 'insufficient_scope', 'workspace_suspended')
@Controller('v1/templates/test-send')
export class TestSendController {
  constructor(private readonly testSends: TestSendService) {}

  @Post()
  @HttpCode(200)
  @Requires({ permission: 'templates:write', keyScopes: ['management'] })
  @ApiOperation({
    summary: 'Send a test email of unsaved content; returns the outcome for each recipient',
  })
  @ApiOkResponse({ type: TestSendOutput })
  @ApiErrors('validation_error', 'invalid_field', 'rate_limit_exceeded')
  async send(@CurrentPrincipal() principal: Principal, @Body() input: TestEmailInput): Promise<object> {
    const report = await this.testSends.send(scopeOf(principal), testSendOf(input), actorOf(principal));
    return restOf(TestSendOutput, report);
  }
}
