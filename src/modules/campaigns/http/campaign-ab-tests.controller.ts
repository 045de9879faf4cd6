/** REST endpoints of A/B tests, section 4.5. */
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { CampaignAbTests } from '../application/campaign-ab-tests.js';
import { CampaignLifeCycle } from '../application/campaign-life-cycle.js';
import { AbSendWinnerInput } from '../input/ab-send-winner.input.js';
import { AbResultsOutput } from '../output/ab-results.output.js';
import { CampaignOutput } from '../output/campaign.output.js';

@ApiTags('campaigns')
@ApiErrors('missing_permission', 'control_plane_only', 'campaign_not_found', 'invalid_field')
@Controller('v1/campaigns/:id')
export class CampaignAbTestsController {
  constructor(
    private readonly tests: CampaignAbTests,
    private readonly campaigns: CampaignLifeCycle,
  ) {}

  @Get('ab-results')
  @Requires({ permission: 'campaigns:read' })
  @ApiOperation({
    summary:
      'Get A/B test results and their significance; for a recurring campaign, those of the latest instance',
  })
  @ApiOkResponse({ type: AbResultsOutput })
  async results(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(AbResultsOutput, await this.tests.results(scopeOf(principal), id));
  }

  @Post('ab-send-winner')
  @HttpCode(200)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({
    summary: 'Send a variant to the rest of the audience, before the test ends or if it cannot be decided',
  })
  @ApiOkResponse({ type: CampaignOutput })
  @ApiErrors('validation_error', 'invalid_status')
  async sendWinner(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() { variant }: AbSendWinnerInput,
  ): Promise<object> {
    return restOf(CampaignOutput, await this.campaigns.sendWinner(scopeOf(principal), id, variant ?? null));
  }
}
