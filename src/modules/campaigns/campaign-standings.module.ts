/** The state of campaigns and the counters of their messages: what senders query and report. */
import { Module } from '@nestjs/common';
import { CampaignConversions } from './application/campaign-conversions.js';
import { CampaignSendingStandings } from './application/campaign-sending-standings.js';
import { DueCampaigns } from './application/due-campaigns.js';
import {
  CampaignTallies,
  TallyEngagement,
  TallySettledMessages,
  TallyUnsubscriptions,
} from './application/campaign-tallies.js';
import { CampaignRepository } from './persistence/campaign.repository.js';
import { CampaignInstanceRepository } from './persistence/campaign-instance.repository.js';
import { CampaignRecipientRepository } from './persistence/campaign-recipient.repository.js';
import { CampaignStandingRepository } from './persistence/campaign-standing.repository.js';
import { CampaignTallyRepository } from './persistence/campaign-tally.repository.js';

const OFFERED = [
  CampaignConversions,
  CampaignSendingStandings,
  DueCampaigns,
  TallyEngagement,
  TallySettledMessages,
  TallyUnsubscriptions,
];

@Module({
  providers: [
    CampaignInstanceRepository,
    CampaignRecipientRepository,
    CampaignRepository,
    CampaignStandingRepository,
    CampaignTallies,
    CampaignTallyRepository,
    ...OFFERED,
  ],
  exports: OFFERED,
})
export class CampaignStandingsModule {}
