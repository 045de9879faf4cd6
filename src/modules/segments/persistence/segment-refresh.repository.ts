/** Schedule of the segments' refreshes, in each environment. */
import { Injectable } from '@nestjs/common';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { inEachEnvironment } from '../../../platform/database/environments.js';

/** A refresh that is due. */
export interface DueRefresh {
  readonly segmentId: string;
  /** Changes with every update of the row, so that a request made meanwhile is not taken as done. */
  readonly version: string;
}

const LONGEST_ERROR = 500;

@Injectable()
export class SegmentRefreshRepository {
  /**
   * Requests a refresh of the segments in both environments.
   * @param scope the scope of the transaction.
   */
  async request(
    tx: Transaction,
    scope: WorkspaceScope,
    segmentIds: readonly string[],
    now: Date,
  ): Promise<void> {
    await inEachEnvironment(tx, scope, async ({ workspaceId, environment }) => {
      await tx.execute(
        `INSERT INTO segment_refreshes AS r (workspace_id, environment, segment_id, refresh_at)
         SELECT $1, $2, u.id, $4 FROM unnest($3::uuid[]) AS u(id) ORDER BY u.id
         ON CONFLICT (workspace_id, segment_id, environment) DO UPDATE SET refresh_at = least(r.refresh_at, excluded.refresh_at)`,
        [workspaceId, environment, segmentIds, now],
      );
    });
  }

  /** The refresh that has been due longest; undefined if none is due. */
  async due(tx: Transaction, scope: TenantScope, now: Date): Promise<DueRefresh | undefined> {
    const [row] = await tx.query<DueRefresh>(
      `SELECT segment_id AS "segmentId", xmin::text AS version FROM segment_refreshes
       WHERE workspace_id = $1 AND environment = $2 AND refresh_at <= $3 ORDER BY refresh_at LIMIT 1`,
      [scope.workspaceId, scope.environment, now],
    );
    return row;
  }

  /** Stores the result of a refresh, and when the next one is due unless one was requested meanwhile. */
  async finish(
    tx: Transaction,
    scope: TenantScope,
    { segmentId, version }: DueRefresh,
    { members, refreshedAt, next }: { members: number; refreshedAt: Date; next: Date },
  ): Promise<void> {
    await tx.execute(
      `UPDATE segment_refreshes r SET members = $5, refreshed_at = $6, error = NULL,
         refresh_at = CASE WHEN r.xmin::text = $4 THEN $7 ELSE r.refresh_at END
       WHERE workspace_id = $1 AND environment = $2 AND segment_id = $3`,
      [scope.workspaceId, scope.environment, segmentId, version, members, refreshedAt, next],
    );
  }

  /** Stores why a refresh failed, for display. */
  async recordError(tx: Transaction, scope: TenantScope, segmentId: string, error: string): Promise<void> {
    await tx.execute(
      `UPDATE segment_refreshes SET error = $4 WHERE workspace_id = $1 AND environment = $2 AND segment_id = $3`,
      [scope.workspaceId, scope.environment, segmentId, error.slice(0, LONGEST_ERROR)],
    );
  }

  /**
   * Reschedules a due refresh, or removes it from the schedule.
   * @returns whether it was still due.
   */
  async postpone(
    tx: Transaction,
    scope: TenantScope,
    segmentId: string,
    now: Date,
    refreshAt: Date | null,
  ): Promise<boolean> {
    const count = await tx.execute(
      `UPDATE segment_refreshes SET refresh_at = $5
       WHERE workspace_id = $1 AND environment = $2 AND segment_id = $3 AND refresh_at <= $4`,
      [scope.workspaceId, scope.environment, segmentId, now, refreshAt],
    );
    return count > 0;
  }

  /**
   * Makes an unscheduled refresh due, unless the segment was deleted.
   * @returns whether it did.
   */
  async requeue(tx: Transaction, scope: TenantScope, segmentId: string, now: Date): Promise<boolean> {
    const count = await tx.execute(
      `UPDATE segment_refreshes SET refresh_at = $4
       WHERE workspace_id = $1 AND environment = $2 AND segment_id = $3 AND refresh_at IS NULL`,
      [scope.workspaceId, scope.environment, segmentId, now],
    );
    return count > 0;
  }

  /** Updates the members' counts between refreshes. */
  async addToMemberCounts(
    tx: Transaction,
    scope: TenantScope,
    deltas: ReadonlyMap<string, number>,
  ): Promise<void> {
    if (deltas.size === 0) return;
    await tx.execute(
      `UPDATE segment_refreshes r SET members = r.members + u.change FROM unnest($3::uuid[], $4::int[]) AS u(id, change)
       WHERE r.workspace_id = $1 AND r.environment = $2 AND r.segment_id = u.id`,
      [scope.workspaceId, scope.environment, [...deltas.keys()], [...deltas.values()]],
      'segment-refreshes-count',
    );
  }

  async remove(tx: Transaction, scope: TenantScope, segmentId: string): Promise<void> {
    await tx.execute(
      'DELETE FROM segment_refreshes WHERE workspace_id = $1 AND environment = $2 AND segment_id = $3',
      [scope.workspaceId, scope.environment, segmentId],
    );
  }
}
