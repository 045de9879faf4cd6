/** The poller that finds tenants with due campaigns. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Stage } from '../../../platform/queue/stage.js';
import { DueCampaignsRepository } from '../persistence/due-campaigns.repository.js';
import { CAMPAIGNS_BELL } from './campaigns.jobs.js';

@Injectable()
export class CampaignsStage implements Stage {
  readonly bell = CAMPAIGNS_BELL;

  constructor(private readonly campaigns: DueCampaignsRepository) {}

  async due(now: Date): Promise<DueWork> {
    return dueWork(await this.campaigns.list(now), now);
  }
}
