/** Campaigns for the dashboard. Calls the same service methods as REST. */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { sliceOf } from '../../../kernel/page-cursor.js';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { connectionOf, type CountedConnection } from '../../../platform/graphql/connection.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { Requires } from '../../access/requires.decorator.js';
import { CampaignService } from '../application/campaign.service.js';
import { campaignCursor, parseCampaignCursor } from '../domain/campaign-filter.js';
import {
  campaignChangeOf,
  campaignContentOf,
  CreateCampaignInput,
  UpdateCampaignInput,
} from '../input/campaign.input.js';
import { CampaignsArgs } from '../input/campaign-list.input.js';
import {
  CampaignConnection,
  campaignCounts,
  type CampaignListFields,
  CampaignOutput,
} from '../output/campaign.output.js';

@Resolver(() => CampaignOutput)
export class CampaignsResolver {
  constructor(private readonly service: CampaignService) {}

  @Query(() => CampaignConnection, {
    complexity: COST.search,
    description: 'Campaigns of the environment, with counts by status.',
  })
  @Requires({ permission: 'campaigns:read' })
  async campaigns(
    @CurrentPrincipal() principal: Principal,
    @Args() args: CampaignsArgs,
  ): Promise<CountedConnection<CampaignOutput> & CampaignListFields> {
    const { first, filter, sortBy, sortDir } = args;
    const order = { sortBy, sortDir };
    const page = { limit: first + 1, offset: 0, after: parseCampaignCursor(args.after, order) };
    const { campaigns, counts, total } = await this.service.list(scopeOf(principal), filter, order, page);
    const listed = connectionOf(sliceOf(campaigns, first), args, (campaign) => ({
      cursor: campaignCursor(campaign, order),
      node: campaign,
    }));
    return { ...listed, counts: campaignCounts(counts), totalCount: total };
  }

  @Query(() => CampaignOutput, {
    complexity: COST.record,
    description: 'Retrieves a campaign. Returns campaign_not_found if it does not exist.',
  })
  @Requires({ permission: 'campaigns:read' })
  async campaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<CampaignOutput> {
    return this.service.get(scopeOf(principal), id);
  }

  @Mutation(() => CampaignOutput, { complexity: COST.change, description: 'Creates a campaign as a draft.' })
  @Requires({ permission: 'campaigns:write' })
  async createCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('input') input: CreateCampaignInput,
  ): Promise<CampaignOutput> {
    const content = campaignContentOf(input);
    return this.service.create(scopeOf(principal), content, actorOf(principal));
  }

  @Mutation(() => CampaignOutput, { complexity: COST.change, description: 'Updates a draft.' })
  @Requires({ permission: 'campaigns:write' })
  async updateCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
    @Args('input') input: UpdateCampaignInput,
  ): Promise<CampaignOutput> {
    return this.service.update(scopeOf(principal), id, campaignChangeOf(input));
  }

  @Mutation(() => ID, {
    complexity: COST.change,
    description: 'Deletes a draft permanently. Returns its ID.',
  })
  @Requires({ permission: 'campaigns:write' })
  async deleteCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<string> {
    await this.service.remove(scopeOf(principal), id);
    return id;
  }

  @Mutation(() => CampaignOutput, {
    complexity: COST.change,
    description: 'Duplicates a campaign of any status as a draft without a schedule.',
  })
  @Requires({ permission: 'campaigns:write' })
  async duplicateCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<CampaignOutput> {
    return this.service.duplicate(scopeOf(principal), id, actorOf(principal));
  }
}
