/** REST endpoints of a campaign's outcome, sections 2.9 and 4.5. */
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { restOf } from '../../../platform/output/output-class.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { assertReadsContacts, mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { CampaignViews } from '../application/campaign-views.js';
import { AnalyticsQuery, InstancesQuery, RecipientsQuery } from '../input/campaign-views.input.js';
import {
  CampaignAnalyticsOutput,
  campaignNumbers,
  InstanceListOutput,
  instanceOutput,
  RatedInstanceOutput,
  RecipientListOutput,
  recipientOutput,
} from '../output/campaign-numbers.output.js';

@ApiTags('campaigns')
@ApiErrors('missing_permission', 'control_plane_only', 'invalid_field', 'campaign_not_found')
@Controller('v1/campaigns/:id')
export class CampaignViewsController {
  constructor(private readonly views: CampaignViews) {}

  @Get('analytics')
  @Requires({ permission: 'campaigns:read' })
  @ApiOperation({
    summary: 'Get campaign results, counted in people; for a recurring campaign, the sum of its instances',
  })
  @ApiOkResponse({ type: CampaignAnalyticsOutput })
  @ApiErrors('campaign_instance_not_found')
  async analytics(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() { instanceId }: AnalyticsQuery,
  ): Promise<object> {
    const metrics = await this.views.analytics(scopeOf(principal), id, instanceId ?? null);
    return restOf(CampaignAnalyticsOutput, { campaignId: id.toLowerCase(), ...campaignNumbers(metrics) });
  }

  @Get('recipients')
  @Requires({ permission: 'campaigns:read' })
  @ApiOperation({
    summary: 'List the recipients of a campaign and the outcome for each',
    description: 'Without permission to read contacts, addresses are masked and not searched.',
  })
  @ApiOkResponse({ type: RecipientListOutput })
  @ApiErrors('campaign_instance_not_found', 'service_unavailable')
  async recipients(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() { limit, offset, ...query }: RecipientsQuery,
  ): Promise<object> {
    const { status = null, variant = null, instanceId = null, search = null } = query;
    if (search !== null) assertReadsContacts(principal);
    const filter = { status, variant, instanceId, search };
    const page = { limit, offset };
    const { recipients, total } = await this.views.recipients(scopeOf(principal), id, filter, page);
    const mayRead = mayReadContacts(principal);
    const shown = recipients.map((recipient) => recipientOutput(recipient, mayRead));
    return restOf(RecipientListOutput, { recipients: shown, total, ...page });
  }

  @Get('instances')
  @Requires({ permission: 'campaigns:read' })
  @ApiOperation({ summary: 'List the instances of a campaign, newest first' })
  @ApiOkResponse({ type: InstanceListOutput })
  async instances(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() page: InstancesQuery,
  ): Promise<object> {
    const { limit, offset } = page;
    const { instances, total } = await this.views.list(scopeOf(principal), id, { limit, offset });
    return restOf(InstanceListOutput, { instances: instances.map(instanceOutput), total, limit, offset });
  }

  @Get('instances/:instance_id')
  @Requires({ permission: 'campaigns:read' })
  @ApiOperation({ summary: 'Retrieve one instance, with its rates' })
  @ApiOkResponse({ type: RatedInstanceOutput })
  @ApiErrors('campaign_instance_not_found')
  async instance(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('instance_id') instanceId: string,
  ): Promise<object> {
    const found = await this.views.get(scopeOf(principal), id, instanceId);
    return restOf(RatedInstanceOutput, instanceOutput(found));
  }
}
