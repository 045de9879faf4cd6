/**
 * Whether campaigns let their messages go. A port, since delivery knows nothing of campaigns; joined in
 * processes/bindings.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { PauseReason } from '../domain/sending-pause.js';

/** `over` says that its messages are not wanted any more. */
export type CampaignStanding = 'going' | 'paused' | 'over';

/** What stops a campaign's messages from outside of it. */
export type CampaignStop = 'plan_limit_reached' | PauseReason;

export abstract class CampaignStandings {
  /** How the campaigns stand; who pauses or cancels one of them waits until the transaction ends. */
  abstract of(
    tx: Transaction,
    scope: TenantScope,
    campaignIds: readonly string[],
  ): Promise<ReadonlyMap<string, CampaignStanding>>;

  /** Tells that messages of these campaigns cannot go on. */
  abstract stopped(
    tx: Transaction,
    scope: TenantScope,
    campaignIds: readonly string[],
    why: CampaignStop,
  ): Promise<void>;
}
