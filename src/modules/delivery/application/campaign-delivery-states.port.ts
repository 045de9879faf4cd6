/**
 * Whether campaigns let their messages go. A port, because delivery does not know campaigns; bound in
 * processes/bindings.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { PauseReason } from '../domain/sending-pause.js';

/** `over`: the campaign's messages are no longer wanted. */
export type CampaignDeliveryState = 'going' | 'paused' | 'over';

/** Why something outside of a campaign stops its messages. */
export type CampaignStopReason = 'plan_limit_reached' | PauseReason;

export abstract class CampaignDeliveryStates {
  /** The states of campaigns. A transaction that pauses or cancels one of them waits until this one ends. */
  abstract of(
    tx: Transaction,
    scope: TenantScope,
    campaignIds: readonly string[],
  ): Promise<ReadonlyMap<string, CampaignDeliveryState>>;

  /** Reports that messages of these campaigns cannot be sent. */
  abstract reportStopped(
    tx: Transaction,
    scope: TenantScope,
    campaignIds: readonly string[],
    reason: CampaignStopReason,
  ): Promise<void>;
}
