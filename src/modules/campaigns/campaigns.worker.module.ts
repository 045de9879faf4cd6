/** The worker that advances campaigns. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { CampaignsModule } from './campaigns.module.js';
import { DueCampaignsRepository } from './persistence/due-campaigns.repository.js';
import { CampaignsProcessor } from './queue/campaigns.processor.js';
import { CampaignsPoller } from './queue/campaigns.poller.js';

@Module({
  imports: [CampaignsModule],
  providers: [CampaignsProcessor, CampaignsPoller, DueCampaignsRepository],
})
export class CampaignsWorkerModule {
  constructor(sweeper: Sweeper, poller: CampaignsPoller) {
    sweeper.watch(poller);
  }
}
