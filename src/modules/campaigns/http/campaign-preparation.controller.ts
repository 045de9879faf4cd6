/**
 * REST endpoints that users call before they send a campaign, section 4.5: audience preview, best send time, test
 * email.
 */
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { nonEmpty, restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { TestSendOutput } from '../../delivery/output/test-send.output.js';
import { AudiencePreviewService } from '../application/audience-preview.service.js';
import { BestSendTimeService } from '../application/best-send-time.service.js';
import { CampaignTestSendService } from '../application/campaign-test-send.service.js';
import { shownAudience } from '../domain/audience-preview.js';
import { AudiencePreviewInput } from '../input/audience-preview.input.js';
import { CampaignTestSendInput } from '../input/campaign-test-send.input.js';
import {
  audienceOutput,
  BestSendTimeOutput,
  CampaignAudienceOutput,
} from '../output/campaign-preparation.output.js';

@ApiTags('campaigns')
@ApiErrors('missing_permission', 'control_plane_only', 'campaign_not_found', 'campaign_incomplete')
@Controller('v1/campaigns')
export class CampaignPreparationController {
  constructor(
    private readonly audiences: AudiencePreviewService,
    private readonly testSends: CampaignTestSendService,
    private readonly sendTimes: BestSendTimeService,
  ) {}

  @Post(':id/audience-preview')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:read' })
  @ApiOperation({
    summary: 'Preview who would receive the campaign if it were sent now, and who would be skipped and why',
  })
  @ApiOkResponse({ type: CampaignAudienceOutput })
  @ApiErrors('invalid_field', 'segment_too_costly', 'service_unavailable')
  async preview(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() _input: AudiencePreviewInput,
  ): Promise<object> {
    const preview = await this.audiences.preview(scopeOf(principal), id);
    const audience = audienceOutput(shownAudience(preview, mayReadContacts(principal)));
    return restOf(CampaignAudienceOutput, {
      ...audience,
      abTestWarnings: nonEmpty(preview.abTestWarnings),
    });
  }

  @Get(':id/best-send-time')
  @Requires({ permission: 'campaigns:read' })
  @ApiOperation({
    summary:
      'Recommend the hour to send, based on when contacts of the segment open and click, in the workspace’s ' +
      'time zone',
  })
  @ApiOkResponse({ type: BestSendTimeOutput })
  @ApiErrors('segment_too_costly')
  async bestSendTime(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(BestSendTimeOutput, await this.sendTimes.of(scopeOf(principal), id));
  }

  @Post(':id/test-send')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Send a test email of the campaign; returns the outcome for each recipient' })
  @ApiOkResponse({ type: TestSendOutput })
  @ApiErrors(
    'validation_error',
    'invalid_email',
    'invalid_field',
    'rate_limit_exceeded',
    'work_too_costly',
    'workspace_suspended',
  )
  async testSend(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { recipients }: CampaignTestSendInput,
  ): Promise<object> {
    const [scope, actor] = [scopeOf(principal), actorOf(principal)];
    return restOf(TestSendOutput, await this.testSends.send(scope, id, recipients, actor));
  }
}
