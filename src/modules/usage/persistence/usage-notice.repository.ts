/** Stores notices about a plan's caps. */
import { Injectable } from '@nestjs/common';
import type { Environment, TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Threshold, AnnouncedLimit } from '../domain/usage.js';

export interface AnnouncedUsage {
  readonly limitType: AnnouncedLimit;
  readonly current: number;
  readonly maximum: number;
  readonly threshold: Threshold;
}

export type StoredUsageNotice = AnnouncedUsage & { readonly environment: Environment; readonly at: Date };

@Injectable()
export class UsageNoticeRepository {
  /**
   * Records a notice.
   * @param since start of the period.
   * @returns false if this threshold or a higher one was already announced.
   */
  async add(
    tx: Transaction,
    { workspaceId, environment }: TenantScope,
    { limitType, current, maximum, threshold }: AnnouncedUsage,
    since: Date,
    now: Date,
  ): Promise<boolean> {
    const added = await tx.execute(
      `INSERT INTO usage_notices (workspace_id, environment, limit_type, since, maximum, threshold, current, at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE NOT EXISTS (
         SELECT FROM usage_notices WHERE workspace_id = $1 AND environment = $2 AND limit_type = $3 AND since = $4
           AND maximum = $5 AND threshold >= $6)
       ON CONFLICT DO NOTHING`,
      [workspaceId, environment, limitType, since, maximum, threshold, current, now],
    );
    return added > 0;
  }

  /** The notices of one environment since a moment, the latest first, up to `limit`. */
  async since(tx: Transaction, scope: TenantScope, since: Date, limit: number): Promise<StoredUsageNotice[]> {
    return tx.query<StoredUsageNotice & Record<string, unknown>>(
      `SELECT environment, limit_type AS "limitType", current::float8 AS current, maximum::float8 AS maximum, threshold, at
       FROM usage_notices WHERE workspace_id = $1 AND environment = $2 AND since >= $3
       ORDER BY at DESC, limit_type, threshold DESC LIMIT $4`,
      [scope.workspaceId, scope.environment, since, limit],
    );
  }

  /** Deletes notices from before a moment. */
  async deleteBefore(tx: Transaction, { workspaceId }: WorkspaceScope, before: Date): Promise<void> {
    await tx.execute('DELETE FROM usage_notices WHERE workspace_id = $1 AND at < $2', [workspaceId, before]);
  }
}
