/** The state of campaigns and the counters of their messages: what senders query and report. */
import { Module } from '@nestjs/common';
import { CampaignConversions } from './application/campaign-conversions.js';
import { CampaignSendStateProvider } from './application/campaign-send-state-provider.js';
import { DueCampaigns } from './application/due-campaigns.js';
import {
  CampaignCounterUpdates,
  CountEngagement,
  CountSettledMessages,
  CountUnsubscribes,
} from './application/campaign-counter-updates.js';
import { CampaignRepository } from './persistence/campaign.repository.js';
import { CampaignInstanceRepository } from './persistence/campaign-instance.repository.js';
import { CampaignRecipientRepository } from './persistence/campaign-recipient.repository.js';
import { CampaignStateRepository } from './persistence/campaign-state.repository.js';
import { CampaignCounterRepository } from './persistence/campaign-counter.repository.js';

const EXPORTED_PROVIDERS = [
  CampaignConversions,
  CampaignSendStateProvider,
  DueCampaigns,
  CountEngagement,
  CountSettledMessages,
  CountUnsubscribes,
];

@Module({
  providers: [
    CampaignInstanceRepository,
    CampaignRecipientRepository,
    CampaignRepository,
    CampaignStateRepository,
    CampaignCounterUpdates,
    CampaignCounterRepository,
    ...EXPORTED_PROVIDERS,
  ],
  exports: EXPORTED_PROVIDERS,
})
export class CampaignStatesModule {}
