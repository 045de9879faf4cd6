/** The worker that advances campaigns. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { CampaignsModule } from './campaigns.module.js';
import { DueCampaignsRepository } from './persistence/due-campaigns.repository.js';
import { CampaignsProcessor } from './queue/campaigns.processor.js';
import { CampaignsStage } from './queue/campaigns.stage.js';

@Module({
  imports: [CampaignsModule],
  providers: [CampaignsProcessor, CampaignsStage, DueCampaignsRepository],
})
export class CampaignsWorkerModule {
  constructor(sweeper: Sweeper, stage: CampaignsStage) {
    sweeper.watch(stage);
  }
}
