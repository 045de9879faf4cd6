/** What people do to trips by hand: the trips chosen and locked, changed, and what was done written down. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { integerArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { MovableTrip, MoveKind } from '../domain/trip-move.js';
import type { TripStatus } from '../domain/trip-transitions.js';
import { appended } from './trail-sql.js';

const MOVABLE = `t.id, t.flow_id AS "flowId", t.status, t.last_step AS "lastStep", t.resume_at AS "resumeAt",
  t.completed_at AS "completedAt", t.started_at AS "startedAt"`;

export interface TripMove {
  readonly id: string;
  readonly tripId: string;
  readonly flowId: string;
  readonly stepId: number;
  readonly kind: MoveKind;
  readonly movedBy: string;
  readonly movedAt: Date;
}

/** Trips of a flow. */
export interface Selection {
  readonly flowId: string;
  /** The id of the step that they took last; null for any. */
  readonly stepId: number | null;
  readonly status: TripStatus | null;
}

const MOVE = `id, trip_id AS "tripId", flow_id AS "flowId", step_id AS "stepId", kind, moved_by AS "movedBy", moved_at AS "movedAt"`;

/** Those that are worth a move of each kind; others of a flow are passed over. */
const WORTH: Readonly<Record<Exclude<MoveKind, 'send_again'>, string>> = {
  skip_wait: `t.completed_at IS NULL AND t.status = 'paused' AND t.resume_at > $6`,
  end: `t.completed_at IS NULL AND $6::timestamptz IS NOT NULL`,
  retry_step: `(t.status = 'failed' OR (t.resume_at IS NULL AND t.status IN ('active', 'paused'))) AND $6::timestamptz IS NOT NULL`,
};

@Injectable()
export class TripMoveRepository {
  async find(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    lock: boolean,
  ): Promise<MovableTrip[]> {
    return tx.query<MovableTrip>(
      `SELECT ${MOVABLE} FROM trips t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY ($3::uuid[])
       ORDER BY t.id ${lock ? 'FOR NO KEY UPDATE' : ''}`,
      [scope.workspaceId, scope.environment, ids],
    );
  }

  /** Trips of a flow that are worth the move, those left out that are named; in any order. */
  async select(
    tx: Transaction,
    scope: TenantScope,
    kind: keyof typeof WORTH,
    { flowId, stepId, status }: Selection,
    {
      without,
      limit,
      now,
    }: { readonly without: readonly string[]; readonly limit: number; readonly now: Date },
  ): Promise<MovableTrip[]> {
    return tx.query<MovableTrip>(
      `SELECT ${MOVABLE} FROM trips t
       WHERE t.workspace_id = $1 AND t.environment = $2 AND t.flow_id = $3 AND ($4::int IS NULL OR t.last_step = $4)
         AND ($5::text IS NULL OR t.status = $5) AND ${WORTH[kind]} AND t.id <> ALL ($7::uuid[]) LIMIT $8`,
      [scope.workspaceId, scope.environment, flowId, stepId, status, now, without, limit],
    );
  }

  /** Makes trips due at once that are locked; those that were over are under way again. */
  async makeDue(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    trail: string,
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE trips t SET status = CASE t.status WHEN 'failed' THEN 'active' ELSE t.status END, resume_at = $4,
         completed_at = NULL, ended_reason = NULL, updated_at = $4, trail = ${appended('t.trail', '$5::text')}
       WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, ids, now, trail],
    );
  }

  /** Adds lines to the trails of trips that are locked. */
  async note(tx: Transaction, scope: TenantScope, ids: readonly string[], trail: string): Promise<void> {
    await tx.execute(
      `UPDATE trips t SET trail = ${appended('t.trail', '$4::text')}
       WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, ids, trail],
    );
  }

  /** Writes down what was done. */
  async record(tx: Transaction, scope: TenantScope, moves: readonly TripMove[]): Promise<void> {
    const [first] = moves;
    if (!first) return;
    await tx.execute(
      `INSERT INTO trip_moves (workspace_id, environment, kind, moved_by, moved_at, id, trip_id, flow_id, step_id)
       SELECT $1, $2, $3, $4, $5, u.* FROM unnest($6::uuid[], $7::uuid[], $8::uuid[], $9::int[]) AS u`,
      [
        scope.workspaceId,
        scope.environment,
        first.kind,
        first.movedBy,
        first.movedAt,
        uuidArray(moves.map(({ id }) => id)),
        uuidArray(moves.map(({ tripId }) => tripId)),
        uuidArray(moves.map(({ flowId }) => flowId)),
        integerArray(moves.map(({ stepId }) => stepId)),
      ],
    );
  }

  /** What was done to the trips of a flow, or to one trip, the latest first. */
  async moves(
    tx: Transaction,
    scope: TenantScope,
    which: { readonly flowId: string } | { readonly tripId: string },
    { limit, before }: { readonly limit: number; readonly before: string | undefined },
  ): Promise<TripMove[]> {
    const [column, id] = 'flowId' in which ? ['flow_id', which.flowId] : ['trip_id', which.tripId];
    return tx.query<TripMove>(
      `SELECT ${MOVE} FROM trip_moves WHERE workspace_id = $1 AND environment = $2 AND ${column} = $3
         AND ($4::uuid IS NULL OR id < $4) ORDER BY id DESC LIMIT $5`,
      [scope.workspaceId, scope.environment, id, before ?? null, limit],
    );
  }

  /** Trips that nothing wakes by itself, the latest first: set aside, as a rule. */
  async unwoken(
    tx: Transaction,
    scope: TenantScope,
    { limit, before }: { readonly limit: number; readonly before: string | undefined },
  ): Promise<MovableTrip[]> {
    return tx.query<MovableTrip>(
      `SELECT ${MOVABLE} FROM trips t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.resume_at IS NULL
         AND t.status IN ('active', 'paused') AND ($3::uuid IS NULL OR t.id < $3) ORDER BY t.id DESC LIMIT $4`,
      [scope.workspaceId, scope.environment, before ?? null, limit],
    );
  }
}
