/**
 * Who tells the people of a workspace that a campaign has been paused by no person. A port, since what tells them is mail;
 * joined in processes/bindings.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { PausedReason } from '../domain/campaign.js';

export interface StoppedCampaign {
  readonly id: string;
  readonly name: string;
  readonly reason: PausedReason;
  /** What is wrong, in a sentence; empty where the reason tells all. */
  readonly detail: string;
}

export abstract class CampaignNews {
  /** Hears of it in the transaction that pauses. */
  abstract stopped(tx: Transaction, scope: TenantScope, campaign: StoppedCampaign, now: Date): Promise<void>;
}
