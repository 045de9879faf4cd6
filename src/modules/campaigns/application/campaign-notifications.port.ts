/**
 * Notifies the members of a workspace when the system, not a person, has paused a campaign. A port, because
 * notifications are sent by mail; bound in processes/bindings.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { PausedReason } from '../domain/campaign.js';

export interface PausedCampaign {
  readonly id: string;
  readonly name: string;
  readonly reason: PausedReason;
  /** What is wrong, in one sentence; empty if the reason says everything. */
  readonly detail: string;
}

export abstract class CampaignNotifications {
  /** Called in the transaction that pauses the campaign. */
  abstract notifyPaused(
    tx: Transaction,
    scope: TenantScope,
    campaign: PausedCampaign,
    now: Date,
  ): Promise<void>;
}
