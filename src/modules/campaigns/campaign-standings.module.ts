/** How campaigns stand and what their messages come to: what senders ask, and tell. */
import { Module } from '@nestjs/common';
import { CampaignConversions } from './application/campaign-conversions.js';
import { CampaignSendingStandings } from './application/campaign-sending-standings.js';
import {
  CampaignTallies,
  TallyEngagement,
  TallySettledMessages,
  TallyUnsubscriptions,
} from './application/campaign-tallies.js';
import { CampaignInstanceRepository } from './persistence/campaign-instance.repository.js';
import { CampaignRecipientRepository } from './persistence/campaign-recipient.repository.js';
import { CampaignStandingRepository } from './persistence/campaign-standing.repository.js';
import { CampaignTallyRepository } from './persistence/campaign-tally.repository.js';

const OFFERED = [
  CampaignConversions,
  CampaignInstanceRepository,
  CampaignRecipientRepository,
  CampaignSendingStandings,
  CampaignStandingRepository,
  CampaignTallyRepository,
  TallyEngagement,
  TallySettledMessages,
  TallyUnsubscriptions,
];

@Module({ providers: [CampaignTallies, ...OFFERED], exports: OFFERED })
export class CampaignStandingsModule {}
