/** The campaigns of one environment of a workspace, section 2.9. */
import { Injectable } from '@nestjs/common';
import type { SortOrder } from '../../../kernel/page-cursor.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { CampaignFilter, CampaignOrder, CampaignPage, CampaignSort } from '../domain/campaign-filter.js';
import type { CampaignStatus } from '../domain/campaign-status.js';
import type { Campaign } from '../domain/campaign.js';
import {
  abTestOf,
  recurrenceOf,
  writtenAbTest,
  writtenRecurrence,
  type WrittenAbTest,
  type WrittenRecurrence,
} from '../domain/written-campaign.js';
import { CampaignEntity } from './campaign.entity.js';

const FIELDS = `id, name, subject, template_id AS "templateId", segment_id AS "segmentId", sender_name AS "senderName",
  sender_email AS "senderEmail", reply_to AS "replyTo", status, ab_test AS "abTest", recurrence,
  scheduled_at AS "scheduledAt", scheduled_offset AS "scheduledOffset", local_time AS "localTime",
  max_per_hour AS "maxPerHour", next_run_at AS "nextRunAt", paused_reason AS "pausedReason", started_at AS "startedAt",
  completed_at AS "completedAt", audience_size AS "audienceSize", runs, created_by AS "createdBy",
  created_at AS "createdAt", updated_at AS "updatedAt", look_at AS "lookAt"`;

const FOUND = '($3::text IS NULL OR strpos(lower(name), lower($3)) > 0)';

const momentOr = (unset: string): string => `coalesce(nullif($8::text, '')::timestamptz, ${unset})`;

/** The sort expression of each order, and that of a position's key, the eighth parameter. */
const ORDERS: Readonly<
  Record<CampaignSort, (unset: string) => { readonly by: string; readonly key: string }>
> = {
  createdAt: (unset) => ({ by: 'created_at', key: momentOr(unset) }),
  updatedAt: (unset) => ({ by: 'updated_at', key: momentOr(unset) }),
  scheduledAt: (unset) => ({ by: `coalesce(scheduled_at, ${unset})`, key: momentOr(unset) }),
  name: () => ({ by: 'lower(name)', key: 'lower($8::text)' }),
};
const UNSET: Readonly<Record<SortOrder, string>> = { asc: `'infinity'`, desc: `'-infinity'` };

/** A row; the A/B test and the recurrence have their stored form. */
type Stored = Omit<Campaign, 'abTest' | 'recurrence'> & {
  readonly abTest: WrittenAbTest | null;
  readonly recurrence: WrittenRecurrence | null;
};

/** The number of campaigns of a status, and how many of them match a search. */
export interface StatusCount {
  readonly status: CampaignStatus;
  readonly campaigns: number;
  readonly found: number;
}

@Injectable()
export class CampaignRepository {
  async insert(tx: Transaction, scope: TenantScope, campaign: Campaign): Promise<void> {
    const { workspaceId, environment } = scope;
    await tx.manager.insert(CampaignEntity, { ...storedOf(campaign), workspaceId, environment });
  }

  /**
   * Returns one campaign.
   * @param lock prevents others from changing it until the transaction ends.
   */
  async find(tx: Transaction, scope: TenantScope, id: string, lock: boolean): Promise<Campaign | undefined> {
    const [campaign] = await tx.query<Stored>(
      `SELECT ${FIELDS} FROM campaigns WHERE workspace_id = $1 AND environment = $2 AND id = $3
       ${lock ? 'FOR UPDATE' : ''}`,
      [scope.workspaceId, scope.environment, id],
      lock ? 'campaign-lock' : 'campaign-find',
    );
    return campaign && recordOf(campaign);
  }

  /** Locks and returns the campaign that has been due longest; skips campaigns that others have locked. */
  async due(tx: Transaction, scope: TenantScope, now: Date): Promise<Campaign | undefined> {
    const [campaign] = await tx.query<Stored>(
      `SELECT ${FIELDS} FROM campaigns
       WHERE workspace_id = $1 AND environment = $2 AND look_at <= $3
       ORDER BY look_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [scope.workspaceId, scope.environment, now],
      'campaign-due',
    );
    return campaign && recordOf(campaign);
  }

  /** Reschedules the next check of a due campaign, or removes it; returns whether the campaign was due. */
  async rescheduleCheck(
    tx: Transaction,
    scope: TenantScope,
    id: string,
    { now, at }: { readonly now: Date; readonly at: Date | null },
  ): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE campaigns SET look_at = $5 WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND look_at <= $4
       RETURNING id`,
      [scope.workspaceId, scope.environment, id, now, at],
    );
    return rows.length > 0;
  }

  /** Schedules a check of a campaign that has none; returns whether it may have something to do. */
  async requeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const rows = await tx.query(
      `UPDATE campaigns SET look_at = $4 WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND look_at IS NULL
         AND status NOT IN ('draft', 'sent') RETURNING id`,
      [scope.workspaceId, scope.environment, id, now],
    );
    return rows.length > 0;
  }

  /** Returns a page of campaigns. Among equals, the older one comes first in ascending order. */
  async list(
    tx: Transaction,
    scope: TenantScope,
    filter: CampaignFilter,
    { sortBy, sortDir }: CampaignOrder,
    { limit, offset, after }: CampaignPage,
  ): Promise<Campaign[]> {
    const { by, key } = ORDERS[sortBy](UNSET[sortDir]);
    const behind = `($7::uuid IS NULL OR (${by}, id) ${sortDir === 'asc' ? '>' : '<'} (${key}, $7))`;
    const rows = await tx.query<Stored>(
      `SELECT ${FIELDS} FROM campaigns WHERE workspace_id = $1 AND environment = $2 AND ${FOUND}
         AND ($4::text IS NULL OR status = $4) AND ${behind}
       ORDER BY ${by} ${sortDir}, id ${sortDir} LIMIT $5 OFFSET $6`,
      [
        scope.workspaceId,
        scope.environment,
        filter.search ?? null,
        filter.status ?? null,
        limit,
        offset,
        after?.id ?? null,
        after?.key ?? null,
      ],
    );
    return rows.map(recordOf);
  }

  /** Returns the number of campaigns in the environment for each status that occurs. */
  async counts(
    tx: Transaction,
    scope: TenantScope,
    { search }: Pick<CampaignFilter, 'search'>,
  ): Promise<StatusCount[]> {
    return tx.query<StatusCount>(
      `SELECT status, count(*)::int AS campaigns, (count(*) FILTER (WHERE ${FOUND}))::int AS found
       FROM campaigns WHERE workspace_id = $1 AND environment = $2 GROUP BY status`,
      [scope.workspaceId, scope.environment, search ?? null],
      'campaigns-counts',
    );
  }

  /** Stores a campaign that was read with a lock. */
  async store(tx: Transaction, { workspaceId, environment }: TenantScope, campaign: Campaign): Promise<void> {
    const { id, createdBy: _by, createdAt: _at, ...changing } = storedOf(campaign);
    await tx.manager.update(CampaignEntity, { workspaceId, environment, id }, changing);
  }

  /** Deletes a campaign that was read with a lock. */
  async delete(tx: Transaction, { workspaceId, environment }: TenantScope, id: string): Promise<void> {
    await tx.manager.delete(CampaignEntity, { workspaceId, environment, id });
  }
}

function recordOf({ abTest, recurrence, ...row }: Stored): Campaign {
  return {
    ...row,
    abTest: abTest && abTestOf(abTest),
    recurrence: recurrence && recurrenceOf(recurrence),
  };
}

function storedOf({ abTest, recurrence, ...campaign }: Campaign): Stored {
  return {
    ...campaign,
    abTest: abTest && writtenAbTest(abTest),
    recurrence: recurrence && writtenRecurrence(recurrence),
  };
}
