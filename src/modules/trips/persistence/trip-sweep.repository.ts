/** Pending work on all trips of a flow or of a contact: requested, claimed, and deleted when done. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Sweep, SweepCursor } from '../domain/trip-sweep.js';

/** A sweep that the transaction holds, with its cursor; none if it has not begun or has no order. */
export interface ClaimedSweep extends Sweep {
  readonly after: SweepCursor | null;
}

interface Row extends Sweep {
  readonly afterFlow: string | null;
  readonly afterStart: Date | null;
  readonly afterTrip: string | null;
}

const SELECT_SWEEP = `SELECT kind, subject_id AS "subjectId", after_flow AS "afterFlow", after_start AS "afterStart",
  after_trip AS "afterTrip" FROM trip_sweeps WHERE workspace_id = $1 AND environment = $2`;

@Injectable()
export class TripSweepRepository {
  /** Records a sweep. One that is already under way continues. */
  async request(tx: Transaction, scope: TenantScope, { kind, subjectId }: Sweep, now: Date): Promise<void> {
    await tx.execute(
      `INSERT INTO trip_sweeps (workspace_id, environment, kind, subject_id, due_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (workspace_id, environment, kind, subject_id) DO NOTHING`,
      [scope.workspaceId, scope.environment, kind, subjectId, now],
    );
  }

  /** Whether any of it is left to do. */
  async isPending(tx: Transaction, scope: TenantScope, { kind, subjectId }: Sweep): Promise<boolean> {
    const rows = await tx.query(
      `SELECT FROM trip_sweeps WHERE workspace_id = $1 AND environment = $2 AND kind = $3 AND subject_id = $4`,
      [scope.workspaceId, scope.environment, kind, subjectId],
    );
    return rows.length > 0;
  }

  /** Locks a sweep, waiting for other holders; undefined if it is done. */
  async claim(
    tx: Transaction,
    scope: TenantScope,
    { kind, subjectId }: Sweep,
  ): Promise<ClaimedSweep | undefined> {
    const [row] = await tx.query<Row>(`${SELECT_SWEEP} AND kind = $3 AND subject_id = $4 FOR UPDATE`, [
      scope.workspaceId,
      scope.environment,
      kind,
      subjectId,
    ]);
    return row && claimedSweepOf(row);
  }

  /** Claims the unlocked sweep that has been due for longest; undefined if there is none. */
  async claimNext(tx: Transaction, scope: TenantScope, now: Date): Promise<ClaimedSweep | undefined> {
    const [row] = await tx.query<Row>(
      `${SELECT_SWEEP} AND due_at <= $3 ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [scope.workspaceId, scope.environment, now],
    );
    return row && claimedSweepOf(row);
  }

  /** Postpones a sweep until a moment. */
  async defer(tx: Transaction, scope: TenantScope, { kind, subjectId }: Sweep, until: Date): Promise<void> {
    await tx.execute(
      `UPDATE trip_sweeps SET due_at = $5
       WHERE workspace_id = $1 AND environment = $2 AND kind = $3 AND subject_id = $4`,
      [scope.workspaceId, scope.environment, kind, subjectId, until],
    );
  }

  /** Stores the cursor of a sweep that the transaction holds. */
  async storeCursor(
    tx: Transaction,
    scope: TenantScope,
    { kind, subjectId }: Sweep,
    { flowId, startedAt, tripId }: SweepCursor,
  ): Promise<void> {
    await tx.execute(
      `UPDATE trip_sweeps SET after_flow = $5, after_start = $6, after_trip = $7
       WHERE workspace_id = $1 AND environment = $2 AND kind = $3 AND subject_id = $4`,
      [scope.workspaceId, scope.environment, kind, subjectId, flowId, startedAt, tripId],
    );
  }

  /** Deletes a sweep that is done. */
  async delete(tx: Transaction, scope: TenantScope, { kind, subjectId }: Sweep): Promise<void> {
    await tx.execute(
      `DELETE FROM trip_sweeps WHERE workspace_id = $1 AND environment = $2 AND kind = $3 AND subject_id = $4`,
      [scope.workspaceId, scope.environment, kind, subjectId],
    );
  }
}

function claimedSweepOf({ kind, subjectId, afterFlow, afterStart, afterTrip }: Row): ClaimedSweep {
  const after =
    afterFlow !== null && afterStart !== null && afterTrip !== null
      ? { flowId: afterFlow, startedAt: afterStart, tripId: afterTrip }
      : null;
  return { kind, subjectId, after };
}
