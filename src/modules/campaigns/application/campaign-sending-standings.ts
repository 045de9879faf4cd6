/** Reports the state of campaigns to senders, and stores the signals of senders that stop campaigns. */
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
    // Read after acquiring the lock: the previous exclusive holder may have changed it.
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

/** A stopped recurring campaign still sends the instances that have started. */
function standingOf(status: CampaignStatus): CampaignStanding {
  if (status === 'paused') return 'paused';
  return status === 'cancelled' ? 'over' : 'going';
}
