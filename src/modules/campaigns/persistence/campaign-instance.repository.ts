/** The sendings of campaigns. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { CampaignInstance } from '../domain/instance.js';
import { CampaignInstanceEntity } from './campaign-instance.entity.js';

const FIELDS = `id, campaign_id AS "campaignId", number, status, scheduled_at AS "scheduledAt", started_at AS "startedAt",
  completed_at AS "completedAt", content, timing, taken_to AS "takenTo", is_taken AS "isTaken", audience, skipped, mailed,
  delayed_ms::float8 AS "delayedMs", paused_at AS "pausedAt", sweep, sweep_after AS "sweepAfter"`;

@Injectable()
export class CampaignInstanceRepository {
  /** Adds an instance; its campaign is locked. */
  async insert(tx: Transaction, scope: TenantScope, instance: CampaignInstance): Promise<void> {
    await tx.manager.insert(CampaignInstanceEntity, stored(scope, instance));
  }

  /** The instance that began last; undefined where none has. Its campaign is locked, and so is whoever changes it. */
  async latest(
    tx: Transaction,
    scope: TenantScope,
    campaignId: string,
  ): Promise<CampaignInstance | undefined> {
    const [instance] = await tx.query<CampaignInstance & object>(
      `SELECT ${FIELDS} FROM campaign_instances WHERE workspace_id = $1 AND environment = $2 AND campaign_id = $3
       ORDER BY number DESC LIMIT 1`,
      [scope.workspaceId, scope.environment, campaignId],
    );
    return instance;
  }

  async find(tx: Transaction, scope: TenantScope, id: string): Promise<CampaignInstance | undefined> {
    const [instance] = await tx.query<CampaignInstance & object>(
      `SELECT ${FIELDS} FROM campaign_instances WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
      [scope.workspaceId, scope.environment, id],
    );
    return instance;
  }

  /** Instances of a campaign, the newest first; all of them where `limit` is null. */
  async page(
    tx: Transaction,
    scope: TenantScope,
    campaignId: string,
    { limit, offset }: { readonly limit: number | null; readonly offset: number },
  ): Promise<CampaignInstance[]> {
    return tx.query<CampaignInstance & object>(
      `SELECT ${FIELDS} FROM campaign_instances WHERE workspace_id = $1 AND environment = $2 AND campaign_id = $3
       ORDER BY number DESC LIMIT $4 OFFSET $5`,
      [scope.workspaceId, scope.environment, campaignId, limit, offset],
    );
  }

  /** Instances of a campaign that are not at their end, the earliest first. */
  async underWay(tx: Transaction, scope: TenantScope, campaignId: string): Promise<CampaignInstance[]> {
    return tx.query<CampaignInstance & object>(
      `SELECT ${FIELDS} FROM campaign_instances
       WHERE workspace_id = $1 AND environment = $2 AND campaign_id = $3 AND (completed_at IS NULL OR sweep IS NOT NULL)
       ORDER BY number`,
      [scope.workspaceId, scope.environment, campaignId],
    );
  }

  async store(tx: Transaction, scope: TenantScope, instance: CampaignInstance): Promise<void> {
    const { workspaceId, id, environment: _e, ...changed } = stored(scope, instance);
    await tx.manager.update(CampaignInstanceEntity, { workspaceId, id }, changed);
  }
}

function stored(scope: TenantScope, instance: CampaignInstance): CampaignInstanceEntity {
  return { ...instance, ...scope, delayedMs: String(Math.round(instance.delayedMs)) };
}
