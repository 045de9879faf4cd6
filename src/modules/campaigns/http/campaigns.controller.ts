/**
 * REST endpoints that create, read and change campaigns, section 4.5. For users only: API keys get control_plane_only.
 */
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { CampaignService } from '../application/campaign.service.js';
import {
  campaignChangeOf,
  campaignContentOf,
  CreateCampaignInput,
  UpdateCampaignInput,
} from '../input/campaign.input.js';
import { CampaignListQuery, campaignSortOf } from '../input/campaign-list.input.js';
import { campaignCounts, CampaignListOutput, CampaignOutput } from '../output/campaign.output.js';

@ApiTags('campaigns')
@ApiErrors('missing_permission', 'control_plane_only')
@Controller('v1/campaigns')
export class CampaignsController {
  constructor(private readonly campaigns: CampaignService) {}

  @Get()
  @Requires({ permission: 'campaigns:read' })
  @ApiOperation({ summary: 'List campaigns of the environment, newest first, with counts by status' })
  @ApiOkResponse({ type: CampaignListOutput })
  @ApiErrors('invalid_field')
  async list(@CurrentPrincipal() principal: Principal, @Query() query: CampaignListQuery): Promise<object> {
    const { sortBy, sortDir, limit, offset, ...filter } = query;
    const order = { sortBy: campaignSortOf(sortBy), sortDir };
    const page = { limit, offset };
    const found = await this.campaigns.list(scopeOf(principal), filter, order, page);
    return restOf(CampaignListOutput, { ...found, counts: campaignCounts(found.counts), ...page });
  }

  @Post()
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Create a campaign as a draft; only the name is required' })
  @ApiCreatedResponse({ type: CampaignOutput })
  @ApiErrors(
    'validation_error',
    'invalid_field',
    'template_not_found',
    'segment_not_found',
    'workspace_suspended',
  )
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() input: CreateCampaignInput,
  ): Promise<object> {
    const content = campaignContentOf(input);
    return restOf(
      CampaignOutput,
      await this.campaigns.create(scopeOf(principal), content, actorOf(principal)),
    );
  }

  @Get(':id')
  @Requires({ permission: 'campaigns:read' })
  @ApiOperation({ summary: 'Retrieve a campaign' })
  @ApiOkResponse({ type: CampaignOutput })
  @ApiErrors('campaign_not_found')
  async get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(CampaignOutput, await this.campaigns.get(scopeOf(principal), id));
  }

  @Patch(':id')
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Update a draft; omitted fields do not change, null clears a field' })
  @ApiOkResponse({ type: CampaignOutput })
  @ApiErrors(
    'validation_error',
    'invalid_field',
    'invalid_status',
    'campaign_not_found',
    'template_not_found',
    'segment_not_found',
    'workspace_suspended',
  )
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() input: UpdateCampaignInput,
  ): Promise<object> {
    const change = campaignChangeOf(input);
    return restOf(CampaignOutput, await this.campaigns.update(scopeOf(principal), id, change));
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Delete a draft permanently' })
  @ApiNoContentResponse({ description: 'The campaign was deleted.' })
  @ApiErrors('invalid_status', 'campaign_not_found', 'workspace_suspended')
  async remove(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    await this.campaigns.remove(scopeOf(principal), id);
  }

  @Post(':id/duplicate')
  @Requires({ permission: 'campaigns:write' })
  @ApiOperation({ summary: 'Duplicate a campaign of any status as a draft without a schedule' })
  @ApiCreatedResponse({ type: CampaignOutput })
  @ApiErrors('campaign_not_found', 'workspace_suspended')
  async duplicate(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<object> {
    return restOf(CampaignOutput, await this.campaigns.duplicate(scopeOf(principal), id, actorOf(principal)));
  }
}
