/** Campaigns with their REST and GraphQL interfaces. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { EngagementTimesModule } from '../delivery/engagement-times.module.js';
import { TestSendModule } from '../delivery/test-send.module.js';
import { SegmentsModule } from '../segments/segments.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AudienceGuard } from './application/audience-guard.js';
import { AudiencePreviewService } from './application/audience-preview.service.js';
import { BestSendTimeService } from './application/best-send-time.service.js';
import { CampaignTestSendService } from './application/campaign-test-send.service.js';
import { CampaignsModule } from './campaigns.module.js';
import { CampaignNumbersResolver } from './graphql/campaign-numbers.resolver.js';
import { CampaignSendingResolver } from './graphql/campaign-sending.resolver.js';
import { CampaignPreparationResolver } from './graphql/campaign-preparation.resolver.js';
import { CampaignsResolver } from './graphql/campaigns.resolver.js';
import { CampaignAbTestsController } from './http/campaign-ab-tests.controller.js';
import { CampaignLifeCycleController } from './http/campaign-life-cycle.controller.js';
import { CampaignPreparationController } from './http/campaign-preparation.controller.js';
import { CampaignViewsController } from './http/campaign-views.controller.js';
import { CampaignsController } from './http/campaigns.controller.js';

@Module({
  imports: [
    CampaignsModule,
    ContactsModule,
    EngagementTimesModule,
    SegmentsModule,
    SuppressionsModule,
    TemplatesModule,
    TestSendModule,
    WorkspacesModule,
  ],
  controllers: [
    CampaignAbTestsController,
    CampaignLifeCycleController,
    CampaignPreparationController,
    CampaignsController,
    CampaignViewsController,
  ],
  providers: [
    AudienceGuard,
    AudiencePreviewService,
    BestSendTimeService,
    CampaignNumbersResolver,
    CampaignPreparationResolver,
    CampaignSendingResolver,
    CampaignsResolver,
    CampaignTestSendService,
  ],
})
export class CampaignsApiModule {}
