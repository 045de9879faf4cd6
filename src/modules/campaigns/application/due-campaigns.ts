/**
 * How due campaigns leave the queue and return to it. A dead-lettered campaign is due no more until a person requeues
 * it.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { WorkQueue } from '../../dead-letters/application/work-queue.js';
import { CampaignRepository } from '../persistence/campaign.repository.js';

@Injectable()
export class DueCampaigns implements WorkQueue {
  readonly kind = 'campaign';
  readonly wakeUp = WAKE_UPS.campaigns;

  constructor(private readonly campaigns: CampaignRepository) {}

  dequeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.campaigns.rescheduleCheck(tx, scope, id, { now, at: null });
  }

  async defer(tx: Transaction, scope: TenantScope, id: string, until: Date, now: Date): Promise<void> {
    await this.campaigns.rescheduleCheck(tx, scope, id, { now, at: until });
  }

  requeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    return this.campaigns.requeue(tx, scope, id, now);
  }
}
