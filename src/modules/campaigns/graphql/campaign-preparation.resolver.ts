/** What users check in the dashboard before they send a campaign. Calls the same service methods as REST. */
import { Args, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { actorOf, scopeOf, type Principal } from '../../../kernel/principal.js';
import { COST } from '../../../platform/graphql/costs.js';
import { CurrentPrincipal } from '../../access/current-principal.decorator.js';
import { mayReadContacts } from '../../access/domain/access.js';
import { Requires } from '../../access/requires.decorator.js';
import { TestSendOutput } from '../../delivery/output/test-send.output.js';
import { AudiencePreviewService } from '../application/audience-preview.service.js';
import { BestSendTimeService } from '../application/best-send-time.service.js';
import { CampaignTestSendService } from '../application/campaign-test-send.service.js';
import { shownAudience } from '../domain/audience-preview.js';
import { CampaignTestEmailArgs } from '../input/campaign-test-send.input.js';
import {
  audienceOutput,
  BestSendTimeOutput,
  CampaignAudienceOutput,
} from '../output/campaign-preparation.output.js';

@Resolver()
export class CampaignPreparationResolver {
  constructor(
    private readonly audiences: AudiencePreviewService,
    private readonly testSends: CampaignTestSendService,
    private readonly sendTimes: BestSendTimeService,
  ) {}

  @Query(() => CampaignAudienceOutput, {
    complexity: COST.wholeTenant,
    description:
      'Who would receive the campaign if it were sent now, and how many contacts would be skipped and why.',
  })
  @Requires({ permission: 'campaigns:read' })
  async campaignAudience(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<CampaignAudienceOutput> {
    const preview = await this.audiences.preview(scopeOf(principal), id);
    return audienceOutput(shownAudience(preview, mayReadContacts(principal)));
  }

  @Query(() => BestSendTimeOutput, {
    complexity: COST.wholeTenant,
    description: 'When contacts of the campaign’s segment open and click, and the recommended hour to send.',
  })
  @Requires({ permission: 'campaigns:read' })
  async campaignBestSendTime(
    @CurrentPrincipal() principal: Principal,
    @Args('id', { type: () => ID }) id: string,
  ): Promise<BestSendTimeOutput> {
    return this.sendTimes.of(scopeOf(principal), id);
  }

  @Mutation(() => TestSendOutput, {
    complexity: COST.emails,
    description: 'Sends a test email of the campaign to a few addresses and returns the outcome for each.',
  })
  @Requires({ permission: 'campaigns:write' })
  async sendTestCampaign(
    @CurrentPrincipal() principal: Principal,
    @Args() { id, recipients }: CampaignTestEmailArgs,
  ): Promise<TestSendOutput> {
    return this.testSends.send(scopeOf(principal), id, recipients, actorOf(principal));
  }
}
