/**
 * How due campaigns leave the queue and return to it. A dead-lettered campaign is due no more until a person requeues
 * it.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { WorkQueue } from '../../set-aside/application/work-queue.js';
import { CampaignRepository } from '../persistence/campaign.repository.js';
import { CAMPAIGNS_BELL } from '../queue/campaigns.jobs.js';

@Injectable()
export class DueCampaigns implements WorkQueue {
  readonly kind = 'campaign';
  readonly bell = CAMPAIGNS_BELL;

  constructor(private readonly campaigns: CampaignRepository) {}

  takeOut(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.campaigns.lookAgain(tx, scope, id, { now, at: null });
  }

  async defer(tx: Transaction, scope: TenantScope, id: string, until: Date, now: Date): Promise<void> {
    await this.campaigns.lookAgain(tx, scope, id, { now, at: until });
  }

  putBack(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.campaigns.putBack(tx, scope, id, now);
  }
}
