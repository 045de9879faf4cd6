/** How campaigns stand and what their messages come to: what senders ask, and tell. */
import { Module } from '@nestjs/common';
import { CampaignSendingStandings } from './application/campaign-sending-standings.js';
import { CampaignTallies, TallyEngagement, TallySettledMessages } from './application/campaign-tallies.js';
import { CampaignStandingRepository } from './persistence/campaign-standing.repository.js';
import { CampaignTallyRepository } from './persistence/campaign-tally.repository.js';

const OFFERED = [
  CampaignSendingStandings,
  CampaignStandingRepository,
  CampaignTallyRepository,
  TallyEngagement,
  TallySettledMessages,
];

@Module({ providers: [CampaignTallies, ...OFFERED], exports: OFFERED })
export class CampaignStandingsModule {}
