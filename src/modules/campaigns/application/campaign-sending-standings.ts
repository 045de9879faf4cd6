/** Tells senders how campaigns stand, and hears from them what stops campaigns. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import {
  CampaignStandings,
  type CampaignStanding,
  type CampaignStop,
} from '../../delivery/application/campaign-standings.port.js';
import type { CampaignStatus } from '../domain/campaign-status.js';
import { CampaignStandingRepository } from '../persistence/campaign-standing.repository.js';
import { CAMPAIGNS_BELL } from '../queue/campaigns.jobs.js';

@Injectable()
export class CampaignSendingStandings extends CampaignStandings {
  constructor(
    private readonly standings: CampaignStandingRepository,
    private readonly dispatcher: Dispatcher,
  ) {
    super();
  }

  override async of(
    tx: Transaction,
    scope: TenantScope,
    campaignIds: readonly string[],
  ): Promise<ReadonlyMap<string, CampaignStanding>> {
    await this.standings.share(tx, campaignIds);
    // Read behind the lock: what somebody had alone until then has changed.
    const statuses = await this.standings.statuses(tx, scope, campaignIds);
    return new Map([...statuses].map(([id, status]) => [id, standingOf(status)]));
  }

  override async stopped(
    tx: Transaction,
    scope: TenantScope,
    campaignIds: readonly string[],
    why: CampaignStop,
  ): Promise<void> {
    await this.standings.signal(tx, scope, campaignIds, why);
    tx.afterCommit(() => this.dispatcher.ring(CAMPAIGNS_BELL, scope));
  }
}

/** A recurring one that is stopped sends what has begun. */
function standingOf(status: CampaignStatus): CampaignStanding {
  if (status === 'paused') return 'paused';
  return status === 'cancelled' ? 'over' : 'going';
}
