/** REST endpoints that send and stop campaigns, sections 3.3 and 4.5. */
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { nonEmpty, restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import type { Gated } from '../../inspect/application/pre-send-gate.js';
import { GATE_ERRORS } from '../../inspect/http/gate-errors.js';
import { OverrideTokensInput, tokensOf } from '../../inspect/input/override.input.js';
import { CampaignAbTests } from '../application/campaign-ab-tests.js';
import { CampaignLifeCycle } from '../application/campaign-life-cycle.js';
import type { Campaign } from '../domain/campaign.js';
import {
  paceOf,
  recurrenceFrom,
  ScheduleCampaignInput,
  scheduleOf,
  ScheduleRecurringInput,
  SendCampaignInput,
} from '../input/campaign-sending.input.js';
import { BegunCampaignOutput, CampaignOutput } from '../output/campaign.output.js';

/** Errors of a campaign that cannot start. */
const NOT_READY = ['campaign_incomplete', 'template_errors', 'plan_limit_reached', ...GATE_ERRORS] as const;

@ApiTags('campaigns')
@ApiErrors('missing_permission', 'control_plane_only', 'campaign_not_found', 'invalid_status')
@Controller('v1/campaigns/:id')
export class CampaignLifeCycleController {
  constructor(
    private readonly campaigns: CampaignLifeCycle,
    private readonly tests: CampaignAbTests,
  ) {}

  @Post('send')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({
    summary: 'Send a draft immediately; the audience is selected now and the content is frozen',
  })
  @ApiOkResponse({ type: BegunCampaignOutput })
  @ApiErrors('validation_error', 'invalid_field', ...NOT_READY)
  async send(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: SendCampaignInput,
  ): Promise<object> {
    const call = { pace: paceOf(input), tokens: tokensOf(input) };
    return this.begun(principal, await this.campaigns.send(scopeOf(principal), principal.plan, id, call));
  }

  @Post('schedule')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Schedule a draft for a given time, or reschedule a scheduled campaign' })
  @ApiOkResponse({ type: BegunCampaignOutput })
  @ApiErrors('validation_error', 'invalid_field', ...NOT_READY)
  async schedule(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: ScheduleCampaignInput,
  ): Promise<object> {
    const call = { schedule: scheduleOf(input), tokens: tokensOf(input) };
    return this.begun(principal, await this.campaigns.schedule(scopeOf(principal), principal.plan, id, call));
  }

  @Post('pause')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Pause a campaign; no message starts after this returns' })
  @ApiOkResponse({ type: CampaignOutput })
  async pause(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(CampaignOutput, await this.campaigns.pause(scopeOf(principal), id));
  }

  @Post('resume')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Resume a paused campaign' })
  @ApiOkResponse({ type: BegunCampaignOutput })
  @ApiErrors('invalid_field', ...NOT_READY)
  async resume(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: OverrideTokensInput,
  ): Promise<object> {
    const call = { tokens: tokensOf(input) };
    return this.begun(principal, await this.campaigns.resume(scopeOf(principal), principal.plan, id, call));
  }

  @Post('cancel')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Cancel a campaign; no message starts after this returns' })
  @ApiOkResponse({ type: CampaignOutput })
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(CampaignOutput, await this.campaigns.cancel(scopeOf(principal), id));
  }

  @Post('schedule-recurring')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Send a draft repeatedly, in a given time zone' })
  @ApiOkResponse({ type: BegunCampaignOutput })
  @ApiErrors('validation_error', 'invalid_field', ...NOT_READY)
  async scheduleRecurring(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: ScheduleRecurringInput,
  ): Promise<object> {
    const call = { recurrence: recurrenceFrom(input), tokens: tokensOf(input) };
    return this.begun(
      principal,
      await this.campaigns.scheduleRecurring(scopeOf(principal), principal.plan, id, call),
    );
  }

  @Post('stop-recurring')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Stop a recurring campaign; instances already started continue' })
  @ApiOkResponse({ type: CampaignOutput })
  async stopRecurring(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(CampaignOutput, await this.campaigns.stopRecurring(scopeOf(principal), id));
  }

  @Post('resume-recurring')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Resume a recurring campaign at its next date; missed dates are skipped' })
  @ApiOkResponse({ type: BegunCampaignOutput })
  @ApiErrors('invalid_field', ...NOT_READY)
  async resumeRecurring(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: OverrideTokensInput,
  ): Promise<object> {
    const call = { tokens: tokensOf(input) };
    return this.begun(
      principal,
      await this.campaigns.resumeRecurring(scopeOf(principal), principal.plan, id, call),
    );
  }

  private async begun(principal: Principal, { result, warnings }: Gated<Campaign>): Promise<object> {
    const abTestWarnings = await this.tests.warnings(scopeOf(principal), result);
    return restOf(BegunCampaignOutput, {
      ...result,
      warnings: nonEmpty(warnings),
      abTestWarnings: nonEmpty(abTestWarnings),
    });
  }
}
