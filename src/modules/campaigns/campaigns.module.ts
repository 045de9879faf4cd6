/** Campaigns: what they say, whom they go to, and how they stand. */
import { Module } from '@nestjs/common';
import { SegmentsModule } from '../segments/segments.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { CampaignService } from './application/campaign.service.js';
import { StoredCampaigns } from './application/stored-campaigns.js';
import { CampaignRepository } from './persistence/campaign.repository.js';

@Module({
  imports: [SegmentsModule, TemplatesModule],
  providers: [CampaignRepository, CampaignService, StoredCampaigns],
  exports: [CampaignService],
})
export class CampaignsModule {}
