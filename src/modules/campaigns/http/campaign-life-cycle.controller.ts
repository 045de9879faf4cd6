/** REST of sending campaigns and stopping them, sections 3.3 and 4.5. */
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { CampaignLifeCycle } from '../application/campaign-life-cycle.js';
import {
  paceOf,
  recurrenceFrom,
  ScheduleCampaignInput,
  scheduleOf,
  ScheduleRecurringInput,
  SendCampaignInput,
} from '../input/campaign-sending.input.js';
import { CampaignResponse, presentCampaign } from './campaign.presenter.js';

/** Why one cannot begin. */
const NOT_READY = ['campaign_incomplete', 'template_errors', 'plan_limit_reached'] as const;

@ApiTags('campaigns')
@ApiErrors('missing_permission', 'control_plane_only', 'campaign_not_found', 'invalid_status')
@Controller('v1/campaigns/:id')
export class CampaignLifeCycleController {
  constructor(private readonly campaigns: CampaignLifeCycle) {}

  @Post('send')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Send a draft at once: its audience is taken now, and its content is frozen' })
  @ApiOkResponse({ type: CampaignResponse })
  @ApiErrors('validation_error', 'invalid_field', ...NOT_READY)
  async send(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: SendCampaignInput,
  ): Promise<CampaignResponse> {
    const { plan } = principal;
    return presentCampaign(await this.campaigns.send(scopeOf(principal), plan, id, paceOf(input)));
  }

  @Post('schedule')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Have a draft sent at a moment, or move one that is scheduled' })
  @ApiOkResponse({ type: CampaignResponse })
  @ApiErrors('validation_error', 'invalid_field', ...NOT_READY)
  async schedule(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: ScheduleCampaignInput,
  ): Promise<CampaignResponse> {
    const { plan } = principal;
    return presentCampaign(await this.campaigns.schedule(scopeOf(principal), plan, id, scheduleOf(input)));
  }

  @Post('pause')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Pause: once this has answered, no message begins' })
  @ApiOkResponse({ type: CampaignResponse })
  async pause(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<CampaignResponse> {
    return presentCampaign(await this.campaigns.pause(scopeOf(principal), id));
  }

  @Post('resume')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Go on where a paused campaign was' })
  @ApiOkResponse({ type: CampaignResponse })
  @ApiErrors(...NOT_READY)
  async resume(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<CampaignResponse> {
    return presentCampaign(await this.campaigns.resume(scopeOf(principal), principal.plan, id));
  }

  @Post('cancel')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Call off what has not been sent: once this has answered, no message begins' })
  @ApiOkResponse({ type: CampaignResponse })
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<CampaignResponse> {
    return presentCampaign(await this.campaigns.cancel(scopeOf(principal), id));
  }

  @Post('schedule-recurring')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Have a draft sent again and again, by the clocks of a time zone' })
  @ApiOkResponse({ type: CampaignResponse })
  @ApiErrors('validation_error', 'invalid_field', ...NOT_READY)
  async scheduleRecurring(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: ScheduleRecurringInput,
  ): Promise<CampaignResponse> {
    const [scope, recurrence] = [scopeOf(principal), recurrenceFrom(input)];
    return presentCampaign(await this.campaigns.scheduleRecurring(scope, principal.plan, id, recurrence));
  }

  @Post('stop-recurring')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Begin no more instances; one that has begun goes on' })
  @ApiOkResponse({ type: CampaignResponse })
  async stopRecurring(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<CampaignResponse> {
    return presentCampaign(await this.campaigns.stopRecurring(scopeOf(principal), id));
  }

  @Post('resume-recurring')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Go on with the next date; those that were missed are not made up for' })
  @ApiOkResponse({ type: CampaignResponse })
  @ApiErrors('invalid_field', ...NOT_READY)
  async resumeRecurring(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
  ): Promise<CampaignResponse> {
    return presentCampaign(await this.campaigns.resumeRecurring(scopeOf(principal), principal.plan, id));
  }
}
