/** Campaigns: their content, audience and state. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { ProviderEventDaysModule } from '../feedback/provider-event-days.module.js';
import { InspectGateModule } from '../inspect/inspect-gate.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { SegmentsModule } from '../segments/segments.module.js';
import { DeadLettersModule } from '../dead-letters/dead-letters.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { CampaignAbTests } from './application/campaign-ab-tests.js';
import { CampaignAudience } from './application/campaign-audience.js';
import { CampaignStarter } from './application/campaign-starter.js';
import { CampaignLifeCycle } from './application/campaign-life-cycle.js';
import { CampaignReadiness } from './application/campaign-readiness.js';
import { CampaignRunner } from './application/campaign-runner.js';
import { CampaignSweeps } from './application/campaign-sweeps.js';
import { CampaignViews } from './application/campaign-views.js';
import { CampaignService } from './application/campaign.service.js';
import { MeasuredInstances } from './application/measured-instances.js';
import { StoredCampaigns } from './application/stored-campaigns.js';
import { CampaignStatesModule } from './campaign-states.module.js';
import { CampaignAddressRepository } from './persistence/campaign-address.repository.js';
import { CampaignInstanceRepository } from './persistence/campaign-instance.repository.js';
import { CampaignRecipientRepository } from './persistence/campaign-recipient.repository.js';
import { CampaignRepository } from './persistence/campaign.repository.js';
import { CampaignStateRepository } from './persistence/campaign-state.repository.js';
import { CampaignCounterRepository } from './persistence/campaign-counter.repository.js';
import { CampaignViewsRepository } from './persistence/campaign-views.repository.js';

@Module({
  imports: [
    CampaignStatesModule,
    ContactsModule,
    DeliveryModule,
    ProviderEventDaysModule,
    InspectGateModule,
    LimitsModule,
    SegmentsModule,
    DeadLettersModule,
    SuppressionsModule,
    TemplatesModule,
    WorkspacesModule,
  ],
  providers: [
    CampaignAbTests,
    CampaignAudience,
    CampaignStarter,
    CampaignLifeCycle,
    CampaignReadiness,
    CampaignRunner,
    CampaignService,
    CampaignSweeps,
    CampaignViews,
    CampaignAddressRepository,
    CampaignInstanceRepository,
    CampaignRecipientRepository,
    CampaignRepository,
    CampaignStateRepository,
    CampaignCounterRepository,
    MeasuredInstances,
    CampaignViewsRepository,
    StoredCampaigns,
  ],
  exports: [CampaignAbTests, CampaignLifeCycle, CampaignRunner, CampaignService, CampaignViews],
})
export class CampaignsModule {}
