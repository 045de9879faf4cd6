/** The poller that finds tenants with due campaigns. */
import { Injectable } from '@nestjs/common';
import { dueWork, type DueWork, type Poller } from '../../../platform/queue/poller.js';
import { DueCampaignsRepository } from '../persistence/due-campaigns.repository.js';
import { CAMPAIGNS_WAKE_UP } from './campaigns.wakeup.js';

@Injectable()
export class CampaignsPoller implements Poller {
  readonly wakeUp = CAMPAIGNS_WAKE_UP;

  constructor(private readonly campaigns: DueCampaignsRepository) {}

  async findDue(now: Date): Promise<DueWork> {
    return dueWork(await this.campaigns.list(now), now);
  }
}
