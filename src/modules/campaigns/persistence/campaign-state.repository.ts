/**
 * Controls whether messages of a campaign may be sent: senders share a lock that a pause holds exclusively. Also stores
 * signals.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { CampaignStatus } from '../domain/campaign-status.js';
import type { PausedReason } from '../domain/campaign.js';

export interface CampaignSignal {
  readonly campaignId: string;
  readonly reason: PausedReason;
}

/** The lock is fair: a waiting exclusive request is not overtaken by shared ones. */
const LOCK_KEY = `hashtextextended('campaign ' || id, 0)`;

@Injectable()
export class CampaignStateRepository {
  /** Waits for exclusive holders of the campaigns; prevents new ones until the transaction ends. */
  async lockShared(tx: Transaction, campaignIds: readonly string[]): Promise<void> {
    await tx.query(
      `SELECT pg_advisory_xact_lock_shared(${LOCK_KEY}) FROM unnest($1::text[]) AS id`,
      [campaignIds],
      'campaign-share',
    );
  }

  /** Locks a campaign exclusively until the transaction ends: no sender can claim its messages. */
  async lockExclusively(tx: Transaction, campaignId: string): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(${LOCK_KEY}) FROM (SELECT $1::text AS id) AS one`, [
      campaignId,
    ]);
  }

  async statuses(
    tx: Transaction,
    scope: TenantScope,
    campaignIds: readonly string[],
  ): Promise<Map<string, CampaignStatus>> {
    const rows = await tx.query<{ readonly id: string; readonly status: CampaignStatus }>(
      `SELECT id, status FROM campaigns WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, campaignIds],
      'campaign-statuses',
    );
    return new Map(rows.map(({ id, status }) => [id, status]));
  }

  /** Stores the signal that stops campaigns. Storing it again changes nothing. */
  async signal(
    tx: Transaction,
    scope: TenantScope,
    campaignIds: readonly string[],
    reason: PausedReason,
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO campaign_signals (workspace_id, environment, campaign_id, reason)
       SELECT $1, $2, id, $4 FROM unnest($3::uuid[]) AS id ON CONFLICT DO NOTHING`,
      [scope.workspaceId, scope.environment, campaignIds, reason],
      'campaign-signal',
    );
  }

  async signals(tx: Transaction, scope: TenantScope, limit: number): Promise<CampaignSignal[]> {
    return tx.query<CampaignSignal & object>(
      `SELECT campaign_id AS "campaignId", reason FROM campaign_signals WHERE workspace_id = $1 AND environment = $2
       ORDER BY campaign_id, reason LIMIT $3`,
      [scope.workspaceId, scope.environment, limit],
    );
  }

  /** Deletes all signals of a campaign. */
  async deleteSignals(tx: Transaction, scope: TenantScope, campaignId: string): Promise<void> {
    await tx.execute(
      'DELETE FROM campaign_signals WHERE workspace_id = $1 AND environment = $2 AND campaign_id = $3',
      [scope.workspaceId, scope.environment, campaignId],
    );
  }

  async deleteSignal(
    tx: Transaction,
    scope: TenantScope,
    { campaignId, reason }: CampaignSignal,
  ): Promise<void> {
    await tx.execute(
      'DELETE FROM campaign_signals WHERE workspace_id = $1 AND environment = $2 AND campaign_id = $3 AND reason = $4',
      [scope.workspaceId, scope.environment, campaignId, reason],
    );
  }
}
