/** Campaigns with their faces. */
import { Module } from '@nestjs/common';
import { CampaignsModule } from './campaigns.module.js';
import { CampaignsResolver } from './graphql/campaigns.resolver.js';
import { CampaignsController } from './http/campaigns.controller.js';

@Module({
  imports: [CampaignsModule],
  controllers: [CampaignsController],
  providers: [CampaignsResolver],
})
export class CampaignsApiModule {}
