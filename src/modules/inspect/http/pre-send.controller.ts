/** REST of sending in spite of findings, section 4.7: overrides and the check before sending. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Author, type Principal, scopeOf } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { OverrideService } from '../application/override.service.js';
import { PreSendCheck } from '../application/pre-send-check.js';
import { InspectOverrideInput, PreSendCheckInput } from '../input/override.input.js';
import { InspectOverrideOutput, PreSendCheckOutput } from '../output/pre-send.output.js';

@ApiTags('inspect')
@ApiErrors(
  'missing_permission',
  'control_plane_only',
  'template_not_found',
  'validation_error',
  'invalid_field',
)
@Controller('v1/inspect')
export class PreSendController {
  constructor(
    private readonly overrides: OverrideService,
    private readonly checks: PreSendCheck,
  ) {}

  @Post('override')
  @Requires({ permission: 'inspect:write' })
  @ApiOperation({
    summary:
      'Create a token that allows the current version of a template to be sent despite critical findings',
    description:
      'Valid for 24 hours, for this version only, any number of times. Who created it and why is recorded in ' +
      'the audit log.',
  })
  @ApiCreatedResponse({ type: InspectOverrideOutput })
  @ApiErrors('conflict', 'workspace_suspended')
  async override(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Body() { templateSlug, reason }: InspectOverrideInput,
  ): Promise<object> {
    const override = await this.overrides.create(scopeOf(principal), templateSlug, reason, author);
    return restOf(InspectOverrideOutput, override);
  }

  @Post('pre-send-check')
  @HttpCode(200)
  @Requires({ permission: 'inspect:read' })
  @ApiOperation({
    summary: 'Check whether a template can be sent, and what prevents it',
    description:
      'Checks the open critical findings of the current version. If blocking is set to `block`, a version that ' +
      'was never inspected gets a quick run first, free of charge. The check does not use up a token.',
  })
  @ApiOkResponse({ type: PreSendCheckOutput })
  @ApiErrors('work_too_costly', 'service_unavailable')
  async preSendCheck(
    @CurrentPrincipal() principal: Principal,
    @Body() { templateSlug, overrideToken }: PreSendCheckInput,
  ): Promise<object> {
    const answer = await this.checks.check(scopeOf(principal), templateSlug, overrideToken ?? null);
    return restOf(PreSendCheckOutput, answer);
  }
}
