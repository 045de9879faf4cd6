/** SQL of manual actions on trips: choosing, locking and changing trips, and recording the action. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { integerArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import { MAX_REPETITIONS } from '../../delivery/domain/repetition.js';
import type { MovableTrip, MoveKind } from '../domain/trip-move.js';
import type { TripStatus } from '../domain/trip-transitions.js';
import { appendToHistory } from './history-sql.js';

const MOVABLE_TRIP_FIELDS = `t.id, t.flow_id AS "flowId", t.status, t.last_step AS "lastStep", t.resume_at AS "resumeAt",
  t.completed_at AS "completedAt", t.started_at AS "startedAt", t.contact_id AS "contactId",
  t.flow_version AS "flowVersion", t.trigger_event_id AS "triggerEventId", t.ended_reason AS "endedReason"`;

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
export interface TripSelection {
  readonly flowId: string;
  /** The id of the step that they took last; null for any. */
  readonly stepId: number | null;
  readonly status: TripStatus | null;
}

/** How to choose trips of a flow. */
export interface SelectionOptions {
  /** The ids of trips to leave out. */
  readonly without: readonly string[];
  readonly limit: number;
  readonly now: Date;
  /** Whether to leave out a trip that is over if its contact has another one under way. */
  readonly skipsContactsInFlight: boolean;
}

/** Messages of a step of a flow, after a cursor. */
export interface StepMessages {
  readonly flowId: string;
  readonly stepId: number;
  /** Null to begin with the first. */
  readonly after: string | null;
  readonly limit: number;
}

const MOVE_FIELDS = `id, trip_id AS "tripId", flow_id AS "flowId", step_id AS "stepId", kind, moved_by AS "movedBy", moved_at AS "movedAt"`;

/** Trips of a flow, at a step if one is given, that match a condition; at most $7 of them. */
const selectTrips = (condition: string): string => `
  (SELECT ${MOVABLE_TRIP_FIELDS} FROM trips t
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.flow_id = $3 AND ($4::int IS NULL OR t.last_step = $4)
     AND ($5::text IS NULL OR t.status = $5) AND t.id <> ALL ($6::uuid[]) AND ${condition} LIMIT $7)`;

/** Whether the contact has another trip through the flow under way. */
const HAS_OTHER_IN_FLIGHT = `EXISTS (SELECT FROM trips o WHERE o.workspace_id = $1 AND o.environment = $2
  AND o.contact_id = t.contact_id AND o.flow_id = t.flow_id AND o.completed_at IS NULL AND o.id <> t.id)`;

/**
 * Trips that are eligible for each kind of action; others of a flow are skipped. Eligible for a retry are trips that
 * nothing wakes, and failed trips; if $8, only failed trips of contacts with no other trip under way.
 */
export const SELECT_ELIGIBLE: Readonly<Record<Exclude<MoveKind, 'send_again'>, string>> = {
  skip_wait: selectTrips(`t.completed_at IS NULL AND t.status = 'paused' AND t.resume_at > $8::timestamptz`),
  end: selectTrips('t.completed_at IS NULL'),
  retry_step: `SELECT * FROM (
    ${selectTrips(`t.status = 'failed' AND NOT ($8::boolean AND ${HAS_OTHER_IN_FLIGHT})`)}
    UNION ALL
    ${selectTrips("t.resume_at IS NULL AND t.status IN ('active', 'paused')")}) AS chosen LIMIT $7`,
};

/** Failed messages of a step that may be requested again. Excludes trips that were ended before their flow's end. */
const FAILED_OF_STEP = `
  SELECT l.id, l.origin_id AS "tripId" FROM email_logs l
  WHERE l.workspace_id = $1 AND l.environment = $2 AND l.source_id = $3 AND l.origin_step = $4 AND l.status = 'failed'
    AND l.origin = 'trip' AND l.reissues = 0 AND ($5::uuid IS NULL OR l.id > $5)
    AND NOT EXISTS (SELECT FROM trips t
      WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = l.origin_id AND t.status = 'terminated')
    AND (SELECT count(*) FILTER (WHERE r.status <> 'failed') = 0 AND count(*) < ${MAX_REPETITIONS} FROM email_logs r
      WHERE r.workspace_id = $1 AND r.environment = $2 AND r.origin_id = l.id AND r.origin = 'resend')
  ORDER BY l.id LIMIT $6`;

/** A failed message of a trip. */
export interface FailedMessage {
  readonly id: string;
  readonly tripId: string;
}

@Injectable()
export class TripMoveRepository {
  async find(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    lock: boolean,
  ): Promise<MovableTrip[]> {
    return tx.query<MovableTrip>(
      `SELECT ${MOVABLE_TRIP_FIELDS} FROM trips t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY ($3::uuid[])
       ORDER BY t.id ${lock ? 'FOR NO KEY UPDATE' : ''}`,
      [scope.workspaceId, scope.environment, ids],
    );
  }

  /** Trips of a flow that are eligible for the action, in any order. */
  async selectEligible(
    tx: Transaction,
    scope: TenantScope,
    kind: keyof typeof SELECT_ELIGIBLE,
    { flowId, stepId, status }: TripSelection,
    { without, limit, now, skipsContactsInFlight }: SelectionOptions,
  ): Promise<MovableTrip[]> {
    const values = [scope.workspaceId, scope.environment, flowId, stepId, status, without, limit];
    const extra = { skip_wait: [now], end: [], retry_step: [skipsContactsInFlight] };
    return tx.query<MovableTrip>(SELECT_ELIGIBLE[kind], [...values, ...extra[kind]]);
  }

  /** Those of the trips whose contact has another one under way through the same flow. */
  async withOtherInFlight(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly MovableTrip[],
  ): Promise<ReadonlySet<string>> {
    const rows = await tx.query<{ id: string }>(
      `SELECT t.id FROM unnest($3::uuid[], $4::uuid[], $5::uuid[]) AS t(id, flow_id, contact_id) WHERE ${HAS_OTHER_IN_FLIGHT}`,
      [
        scope.workspaceId,
        scope.environment,
        uuidArray(trips.map(({ id }) => id)),
        uuidArray(trips.map(({ flowId }) => flowId)),
        uuidArray(trips.map(({ contactId }) => contactId)),
      ],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Failed messages of a step of a flow's trips that may be requested again, in the order of their ids. */
  async failedMessages(
    tx: Transaction,
    scope: TenantScope,
    { flowId, stepId, after, limit }: StepMessages,
  ): Promise<FailedMessage[]> {
    return tx.query<FailedMessage>(FAILED_OF_STEP, [
      scope.workspaceId,
      scope.environment,
      flowId,
      stepId,
      after,
      limit,
    ]);
  }

  /** Makes locked trips due immediately; trips that were over are under way again. */
  async makeDue(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    historyLines: string,
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE trips t SET status = CASE t.status WHEN 'failed' THEN 'active' ELSE t.status END, resume_at = $4,
         completed_at = NULL, ended_reason = NULL, updated_at = $4, trail = ${appendToHistory('t.trail', '$5::text')}
       WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, ids, now, historyLines],
    );
  }

  /** Appends lines to the trails of locked trips. */
  async appendHistory(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    historyLines: string,
  ): Promise<void> {
    await tx.execute(
      `UPDATE trips t SET trail = ${appendToHistory('t.trail', '$4::text')}
       WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, ids, historyLines],
    );
  }

  /** Records the actions. */
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

  /** The actions on trips of a flow, or on one trip, latest first. */
  async moves(
    tx: Transaction,
    scope: TenantScope,
    subject: { readonly flowId: string } | { readonly tripId: string },
    { limit, before }: { readonly limit: number; readonly before: string | undefined },
  ): Promise<TripMove[]> {
    const [column, id] = 'flowId' in subject ? ['flow_id', subject.flowId] : ['trip_id', subject.tripId];
    return tx.query<TripMove>(
      `SELECT ${MOVE_FIELDS} FROM trip_moves WHERE workspace_id = $1 AND environment = $2 AND ${column} = $3
         AND ($4::uuid IS NULL OR id < $4) ORDER BY id DESC LIMIT $5`,
      [scope.workspaceId, scope.environment, id, before ?? null, limit],
    );
  }

  /** Trips that nothing wakes by itself, latest first. Usually they were set aside. */
  async findStuck(
    tx: Transaction,
    scope: TenantScope,
    { limit, before }: { readonly limit: number; readonly before: string | undefined },
  ): Promise<MovableTrip[]> {
    return tx.query<MovableTrip>(
      `SELECT ${MOVABLE_TRIP_FIELDS} FROM trips t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.resume_at IS NULL
         AND t.status IN ('active', 'paused') AND ($3::uuid IS NULL OR t.id < $3) ORDER BY t.id DESC LIMIT $4`,
      [scope.workspaceId, scope.environment, before ?? null, limit],
    );
  }
}
