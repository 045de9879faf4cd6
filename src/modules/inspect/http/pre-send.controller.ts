/** REST of what lets templates be sent, section 4.7: overrides and the check before sending. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Author, type Principal, scopeOf } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentAuthor } from '../../access/current-author.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { OverrideService } from '../application/override.service.js';
import { PreSendCheck } from '../application/pre-send-check.js';
import { InspectOverrideInput, PreSendCheckInput } from '../input/override.input.js';
import {
  InspectOverrideResponse,
  PreSendCheckResponse,
  presentOverride,
  presentPreSendCheck,
} from './override.presenter.js';

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
    summary: 'Make a token that lets the current version of a template be sent in spite of critical findings',
    description:
      'Good for a day and for that version alone, any number of times. It is kept in the log of changes who made it and why.',
  })
  @ApiCreatedResponse({ type: InspectOverrideResponse })
  @ApiErrors('conflict', 'workspace_suspended')
  async override(
    @CurrentPrincipal() principal: Principal,
    @CurrentAuthor() author: Author,
    @Body() { templateSlug, reason }: InspectOverrideInput,
  ): Promise<InspectOverrideResponse> {
    return presentOverride(await this.overrides.create(scopeOf(principal), templateSlug, reason, author));
  }

  @Post('pre-send-check')
  @HttpCode(200)
  @Requires({ permission: 'inspect:read' })
  @ApiOperation({
    summary: 'Tell whether a template can be sent, and what is in the way',
    description:
      'Looks at the open critical findings of the current version. Under `block` a version that was never inspected is ' +
      'inspected quickly first, free of charge. Looking uses no token up.',
  })
  @ApiOkResponse({ type: PreSendCheckResponse })
  @ApiErrors('work_too_costly', 'service_unavailable')
  async preSendCheck(
    @CurrentPrincipal() principal: Principal,
    @Body() { templateSlug, overrideToken }: PreSendCheckInput,
  ): Promise<PreSendCheckResponse> {
    const answer = await this.checks.check(scopeOf(principal), templateSlug, overrideToken ?? null);
    return presentPreSendCheck(answer);
  }
}
