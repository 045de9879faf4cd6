/** REST endpoints of a campaign's outcome, sections 2.9 and 4.5. */
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { scopeOf, type Principal } from '../../../kernel/principal.js';
import { ApiErrors } from '../../../platform/http/api-errors.decorator.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { assertReadsContacts, mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { maskEmails } from '../../contacts/domain/masking.js';
import { CampaignViews } from '../application/campaign-views.js';
import { AnalyticsQuery, InstancesQuery, RecipientsQuery } from '../input/campaign-views.input.js';
import {
  CampaignAnalyticsResponse,
  InstanceListResponse,
  presentAnalytics,
  presentInstance,
  presentRatedInstance,
  presentRecipient,
  RatedInstanceResponse,
  RecipientListResponse,
  type RecipientResponse,
} from './campaign-views.presenter.js';

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
  @ApiOkResponse({ type: CampaignAnalyticsResponse })
  @ApiErrors('campaign_instance_not_found')
  async analytics(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() { instanceId }: AnalyticsQuery,
  ): Promise<CampaignAnalyticsResponse> {
    return presentAnalytics(
      id.toLowerCase(),
      await this.views.analytics(scopeOf(principal), id, instanceId ?? null),
    );
  }

  @Get('recipients')
  @Requires({ permission: 'campaigns:read' })
  @ApiOperation({
    summary: 'List the recipients of a campaign and the outcome for each',
    description: 'Without permission to read contacts, addresses are masked and not searched.',
  })
  @ApiOkResponse({ type: RecipientListResponse })
  @ApiErrors('campaign_instance_not_found', 'service_unavailable')
  async recipients(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() { limit, offset, ...query }: RecipientsQuery,
  ): Promise<RecipientListResponse> {
    const { status = null, variant = null, instanceId = null, search = null } = query;
    if (search !== null) assertReadsContacts(principal);
    const filter = { status, variant, instanceId, search };
    const page = { limit, offset };
    const { recipients, total } = await this.views.recipients(scopeOf(principal), id, filter, page);
    const shown = recipients.map(presentRecipient);
    return { recipients: mayReadContacts(principal) ? shown : shown.map(masked), total, ...page };
  }

  @Get('instances')
  @Requires({ permission: 'campaigns:read' })
  @ApiOperation({ summary: 'List the instances of a campaign, newest first' })
  @ApiOkResponse({ type: InstanceListResponse })
  async instances(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Query() page: InstancesQuery,
  ): Promise<InstanceListResponse> {
    const { limit, offset } = page;
    const { instances, total } = await this.views.list(scopeOf(principal), id, { limit, offset });
    return { instances: instances.map(presentInstance), total, limit, offset };
  }

  @Get('instances/:instance_id')
  @Requires({ permission: 'campaigns:read' })
  @ApiOperation({ summary: 'Retrieve one instance, with its rates' })
  @ApiOkResponse({ type: RatedInstanceResponse })
  @ApiErrors('campaign_instance_not_found')
  async instance(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('instance_id') instanceId: string,
  ): Promise<RatedInstanceResponse> {
    return presentRatedInstance(await this.views.get(scopeOf(principal), id, instanceId));
  }
}

function masked(recipient: RecipientResponse): RecipientResponse {
  const { email, external_id: externalId } = recipient;
  return {
    ...recipient,
    email: email === null ? null : maskEmails(email),
    external_id: externalId === null ? null : maskEmails(externalId),
  };
}
