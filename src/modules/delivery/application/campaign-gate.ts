/**
 * Holds messages of paused campaigns and cancels those of campaigns that are over, in the transaction that claims them.
 * Once a request to pause a campaign is answered, no message of it starts. Messages without a campaign cost no query.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { NEVER_DUE } from '../domain/send-gates.js';
import type { DueSend } from '../persistence/send-ledger.repository.js';
import { SendGatesRepository } from '../persistence/send-gates.repository.js';
import { CampaignDeliveryStates, type CampaignStopReason } from './campaign-delivery-states.port.js';
import { MessageCancellation } from './message-cancellation.js';

@Injectable()
export class CampaignGate {
  constructor(
    private readonly campaigns: CampaignDeliveryStates,
    private readonly gates: SendGatesRepository,
    private readonly cancellation: MessageCancellation,
  ) {}

  /** Returns the messages that may be attempted, of those that the transaction has just claimed. */
  async admit(
    tx: Transaction,
    scope: TenantScope,
    due: readonly DueSend[],
    now: Date,
  ): Promise<readonly DueSend[]> {
    const ids = campaignsOf(due);
    if (ids.length === 0) return due;
    const states = await this.campaigns.of(tx, scope, ids);
    const stateOf = ({ campaignId }: DueSend): string =>
      campaignId === null ? 'going' : (states.get(campaignId) ?? 'over');
    const over = due.filter((send) => stateOf(send) === 'over');
    if (over.length > 0) await this.cancellation.cancelClaimed(tx, scope, over, now);
    const paused = due.filter((send) => stateOf(send) === 'paused');
    await this.hold(tx, scope, paused, now);
    return due.filter((send) => stateOf(send) === 'going');
  }

  /**
   * Holds messages of campaigns that something outside of the campaign keeps from being sent, and notifies their
   * campaigns.
   * @returns the remaining messages: those without a campaign.
   */
  async holdStopped<Send extends DueSend>(
    tx: Transaction,
    scope: TenantScope,
    stopped: readonly Send[],
    reason: CampaignStopReason,
    now: Date,
  ): Promise<readonly Send[]> {
    const ids = campaignsOf(stopped);
    if (ids.length === 0) return stopped;
    const ofCampaigns = stopped.filter(({ campaignId }) => campaignId !== null);
    await this.hold(tx, scope, ofCampaigns, now);
    await this.campaigns.reportStopped(tx, scope, ids, reason);
    return stopped.filter(({ campaignId }) => campaignId === null);
  }

  private async hold(
    tx: Transaction,
    scope: TenantScope,
    held: readonly DueSend[],
    now: Date,
  ): Promise<void> {
    const gate = 'campaign_pause' as const;
    await this.gates.hold(
      tx,
      scope,
      held.map(({ id, chargedBefore }) => ({ id, chargedBefore, gate, until: NEVER_DUE })),
      now,
    );
  }
}

/** Sorted, because the campaigns are locked in this order. */
function campaignsOf(sends: readonly DueSend[]): string[] {
  return [...new Set(sends.flatMap(({ campaignId }) => campaignId ?? []))].toSorted();
}
