/** Reports the state of campaigns to senders, and stores the signals of senders that stop campaigns. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import {
  CampaignDeliveryStates,
  type CampaignDeliveryState,
  type CampaignStopReason,
} from '../../delivery/application/campaign-delivery-states.port.js';
import type { CampaignStatus } from '../domain/campaign-status.js';
import { CampaignStateRepository } from '../persistence/campaign-state.repository.js';

@Injectable()
export class CampaignSendStateProvider extends CampaignDeliveryStates {
  constructor(
    private readonly states: CampaignStateRepository,
    private readonly dispatcher: Dispatcher,
  ) {
    super();
  }

  override async of(
    tx: Transaction,
    scope: TenantScope,
    campaignIds: readonly string[],
  ): Promise<ReadonlyMap<string, CampaignDeliveryState>> {
    await this.states.lockShared(tx, campaignIds);
    // Read after acquiring the lock: the previous exclusive holder may have changed it.
    const statuses = await this.states.statuses(tx, scope, campaignIds);
    return new Map([...statuses].map(([id, status]) => [id, sendStateOf(status)]));
  }

  override async reportStopped(
    tx: Transaction,
    scope: TenantScope,
    campaignIds: readonly string[],
    why: CampaignStopReason,
  ): Promise<void> {
    await this.states.signal(tx, scope, campaignIds, why);
    tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.campaigns, scope));
  }
}

/** A stopped recurring campaign still sends the instances that have started. */
function sendStateOf(status: CampaignStatus): CampaignDeliveryState {
  if (status === 'paused') return 'paused';
  return status === 'cancelled' ? 'over' : 'going';
}
