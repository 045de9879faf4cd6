/** Instances of campaigns. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { CampaignInstance } from '../domain/instance.js';
import {
  contentOf,
  timingOf,
  writtenContent,
  writtenTiming,
  type WrittenContent,
  type WrittenTiming,
} from '../domain/written-campaign.js';
import { CampaignInstanceEntity } from './campaign-instance.entity.js';

const FIELDS = `id, campaign_id AS "campaignId", number, status, scheduled_at AS "scheduledAt", started_at AS "startedAt",
  completed_at AS "completedAt", content, timing, taken_to AS "takenTo", is_taken AS "isTaken", audience, skipped, mailed, rest,
  delayed_ms::float8 AS "delayedMs", paused_at AS "pausedAt", sweep, sweep_after AS "sweepAfter", winner,
  decided_by AS "decidedBy", decided_at AS "decidedAt", rest_from AS "restFrom", goal_event AS "goalEvent",
  goal_until AS "goalUntil", paced_at AS "pacedAt", paced, per_minute AS "perMinute"`;

interface Stored extends Omit<CampaignInstance, 'content' | 'timing'> {
  readonly content: WrittenContent;
  readonly timing: WrittenTiming;
}

export interface InstancePage {
  /** Null for no limit. */
  readonly limit: number | null;
  readonly offset: number;
  /** The page contains only instances with a lower number. */
  readonly before?: number | null;
}

/** At most this number of an environment's instances may count an event: the latest ones. */
const MAX_COUNTING_INSTANCES = 200;

@Injectable()
export class CampaignInstanceRepository {
  /** Adds an instance; its campaign is locked. */
  async insert(tx: Transaction, scope: TenantScope, instance: CampaignInstance): Promise<void> {
    await tx.manager.insert(CampaignInstanceEntity, stored(scope, instance));
  }

  /**
   * Returns the latest instance; undefined if none has started. The lock on the campaign also protects it from changes.
   */
  async latest(
    tx: Transaction,
    scope: TenantScope,
    campaignId: string,
  ): Promise<CampaignInstance | undefined> {
    const [instance] = await tx.query<Stored & object>(
      `SELECT ${FIELDS} FROM campaign_instances WHERE workspace_id = $1 AND environment = $2 AND campaign_id = $3
       ORDER BY number DESC LIMIT 1`,
      [scope.workspaceId, scope.environment, campaignId],
    );
    return instance && recordOf(instance);
  }

  async find(tx: Transaction, scope: TenantScope, id: string): Promise<CampaignInstance | undefined> {
    const [instance] = await tx.query<Stored & object>(
      `SELECT ${FIELDS} FROM campaign_instances WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
      [scope.workspaceId, scope.environment, id],
    );
    return instance && recordOf(instance);
  }

  /** Returns instances of a campaign, newest first. */
  async page(
    tx: Transaction,
    scope: TenantScope,
    campaignId: string,
    { limit, offset, before = null }: InstancePage,
  ): Promise<CampaignInstance[]> {
    const rows = await tx.query<Stored & object>(
      `SELECT ${FIELDS} FROM campaign_instances WHERE workspace_id = $1 AND environment = $2 AND campaign_id = $3
         AND ($6::int IS NULL OR number < $6)
       ORDER BY number DESC LIMIT $4 OFFSET $5`,
      [scope.workspaceId, scope.environment, campaignId, limit, offset, before],
    );
    return rows.map(recordOf);
  }

  /** Returns the incomplete instances of a campaign, oldest first. */
  async underWay(tx: Transaction, scope: TenantScope, campaignId: string): Promise<CampaignInstance[]> {
    const rows = await tx.query<Stored & object>(
      `SELECT ${FIELDS} FROM campaign_instances
       WHERE workspace_id = $1 AND environment = $2 AND campaign_id = $3 AND (completed_at IS NULL OR sweep IS NOT NULL)
       ORDER BY number`,
      [scope.workspaceId, scope.environment, campaignId],
    );
    return rows.map(recordOf);
  }

  /** Returns the instances whose tests count an event with one of these names, at the given time or later. */
  async counting(
    tx: Transaction,
    scope: TenantScope,
    names: readonly string[],
    earliest: Date,
  ): Promise<CampaignInstance[]> {
    const rows = await tx.query<Stored & object>(
      `SELECT ${FIELDS} FROM campaign_instances
       WHERE workspace_id = $1 AND environment = $2 AND goal_event = ANY ($3) AND (goal_until IS NULL OR goal_until >= $4)
       ORDER BY started_at DESC, id LIMIT ${MAX_COUNTING_INSTANCES}`,
      [scope.workspaceId, scope.environment, names, earliest],
      'campaign-instances-counting',
    );
    return rows.map(recordOf);
  }

  async store(tx: Transaction, scope: TenantScope, instance: CampaignInstance): Promise<void> {
    const { workspaceId, id, environment: _e, ...changed } = stored(scope, instance);
    await tx.manager.update(CampaignInstanceEntity, { workspaceId, id }, changed);
  }
}

function stored(scope: TenantScope, instance: CampaignInstance): CampaignInstanceEntity {
  const { content, timing, delayedMs } = instance;
  return {
    ...{ ...instance, ...scope, delayedMs: String(Math.round(delayedMs)) },
    ...{ content: writtenContent(content), timing: writtenTiming(timing) },
  };
}

function recordOf(row: Stored): CampaignInstance {
  return { ...row, content: contentOf(row.content), timing: timingOf(row.timing) };
}
