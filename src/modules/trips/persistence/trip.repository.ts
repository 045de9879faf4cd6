/** Trips of a tenant: claimed, started and stored in sets. */
import { Injectable } from '@nestjs/common';
import { integerArray, textArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { earlierTripsKey } from '../domain/trip-starts.js';
import type { EarlierTrips } from '../domain/reentry.js';
import type { EndedTrip, Trip, TripEndReason, TripState } from '../domain/trip.js';
import { IN_FLIGHT_STATUSES, statusesBefore } from '../domain/trip-transitions.js';
import { appendToHistory } from './history-sql.js';
import {
  DECIDED_PARAMS,
  DECIDED_COLUMNS,
  decidedArrays,
  ENDED_COLUMNS,
  STATE_COLUMNS,
  TRIP_COLUMNS,
  type DecidedTripState,
} from './trip-columns.js';

/** A trip as it is stored. */
export interface TripRecord extends TripState {
  readonly updatedAt: Date;
}

export interface TripFilter {
  readonly flowId?: string;
  readonly contactId?: string;
  readonly status?: string;
  readonly limit: number;
  readonly offset: number;
  /** The id of a trip: only older ones are listed; the total counts all. */
  readonly before?: string;
}

/** Trips of one flow, or of contacts. */
export type InFlightSelection = { readonly flowId: string } | { readonly contactIds: readonly string[] };

/** What storing a decision sets. Its lines are appended to the trail. */
const SET_DECIDED = DECIDED_PARAMS.map(({ column }) =>
  column === 'trail' ? `trail = ${appendToHistory('t.trail', 'u.trail')}` : `${column} = u.${column}`,
).join(', ');

@Injectable()
export class TripRepository {
  /**
   * Claims due trips. The rows stay locked until the transaction ends, other workers skip them, and a crash releases
   * them immediately. Trips of a stopped flow, which only have to be ended, are excluded.
   */
  async claimDue(tx: Transaction, scope: TenantScope, now: Date, limit: number): Promise<Trip[]> {
    return tx.query<Trip>(
      `SELECT ${TRIP_COLUMNS} FROM trips t
       WHERE t.workspace_id = $1 AND t.environment = $2 AND t.resume_at <= $3
         AND t.flow_id <> ALL (ARRAY(SELECT s.subject_id FROM trip_sweeps s
           WHERE s.workspace_id = $1 AND s.environment = $2 AND s.kind = 'flow_stopped'))
       ORDER BY t.resume_at LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED`,
      [scope.workspaceId, scope.environment, now, limit],
      'trips-claim',
    );
  }

  /** Summaries of contacts' earlier trips through flows, by `earlierTripsKey`. */
  async earlierTrips(
    tx: Transaction,
    scope: TenantScope,
    flowIds: readonly string[],
    contactIds: readonly string[],
  ): Promise<Map<string, EarlierTrips>> {
    const rows = await tx.query<{
      flow_id: string;
      contact_id: string;
      count: number;
      in_flight: number;
      latest: Date;
    }>(
      `SELECT t.flow_id, t.contact_id, count(*)::int AS count, max(t.started_at) AS latest,
         count(*) FILTER (WHERE t.status = ANY ($5))::int AS in_flight
       FROM trips t
       WHERE t.workspace_id = $1 AND t.environment = $2 AND t.flow_id = ANY ($3::uuid[]) AND t.contact_id = ANY ($4::uuid[])
       GROUP BY t.flow_id, t.contact_id`,
      [scope.workspaceId, scope.environment, flowIds, contactIds, IN_FLIGHT_STATUSES],
      'trips-history',
    );
    return new Map(
      rows.map((row) => [
        earlierTripsKey(row.flow_id, row.contact_id),
        { count: row.count, inFlight: row.in_flight, latestStart: row.latest },
      ]),
    );
  }

  /** Inserts trips in the state after their first steps; returns the ids that were inserted. */
  async insert(
    tx: Transaction,
    scope: TenantScope,
    states: readonly DecidedTripState[],
    now: Date,
  ): Promise<Set<string>> {
    if (states.length === 0) return new Set();
    const rows = await tx.query<{ id: string }>(
      `INSERT INTO trips (workspace_id, environment, started_at, updated_at, id, flow_id, flow_version, contact_id,
         trigger_event_id, ${DECIDED_COLUMNS})
       SELECT $1, $2, $3, $3, u.* FROM unnest($4::uuid[], $5::uuid[], $6::int[], $7::uuid[], $8::uuid[],
         ${decidedArrays(9)}) AS u
       ON CONFLICT (workspace_id, trigger_event_id, flow_id) DO NOTHING RETURNING id`,
      [
        scope.workspaceId,
        scope.environment,
        now,
        uuidArray(states.map((s) => s.id)),
        uuidArray(states.map((s) => s.flowId)),
        integerArray(states.map((s) => s.flowVersion)),
        uuidArray(states.map((s) => s.contactId)),
        uuidArray(states.map((s) => s.triggerEventId)),
        ...DECIDED_PARAMS.map(({ values }) => values(states)),
      ],
      'trips-insert',
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Stores the states of trips that were claimed. */
  async store(
    tx: Transaction,
    scope: TenantScope,
    states: readonly DecidedTripState[],
    now: Date,
  ): Promise<void> {
    if (states.length === 0) return;
    await tx.execute(
      `UPDATE trips t SET ${SET_DECIDED}, updated_at = $3
       FROM unnest($4::uuid[], ${decidedArrays(5)}) AS u(id, ${DECIDED_COLUMNS})
       WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = u.id`,
      [
        scope.workspaceId,
        scope.environment,
        now,
        uuidArray(states.map((s) => s.id)),
        ...DECIDED_PARAMS.map(({ values }) => values(states)),
      ],
      'trips-store',
    );
  }

  /** Wakes trips whose message has an outcome. Trips that no longer wait for the message are left unchanged. */
  async wake(
    tx: Transaction,
    scope: TenantScope,
    settled: readonly { readonly tripId: string; readonly step: number; readonly historyLines: string }[],
    now: Date,
  ): Promise<void> {
    await tx.execute(
      `UPDATE trips t SET status = 'active', resume_at = $3, updated_at = $3, trail = ${appendToHistory('t.trail', 'u.trail')}
       FROM unnest($4::uuid[], $5::int[], $7::text[]) AS u(id, step, trail)
       WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = u.id AND t.status = ANY ($6)
         AND t.last_step = u.step`,
      [
        scope.workspaceId,
        scope.environment,
        now,
        uuidArray(settled.map((s) => s.tripId)),
        integerArray(settled.map((s) => s.step)),
        statusesBefore('active'),
        textArray(settled.map((s) => s.historyLines)),
      ],
      'trips-wake',
    );
  }

  /**
   * Gives a due trip another time to resume at, or none.
   * @returns whether it was still due.
   */
  async reschedule(
    tx: Transaction,
    scope: TenantScope,
    id: string,
    now: Date,
    resumeAt: Date | null,
  ): Promise<boolean> {
    const count = await tx.execute(
      `UPDATE trips SET resume_at = $5, updated_at = $4
       WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND resume_at <= $4`,
      [scope.workspaceId, scope.environment, id, now, resumeAt],
    );
    return count > 0;
  }

  /**
   * Makes a trip due that has no time to resume at, unless it is over or waits for its message.
   * @returns whether it did.
   */
  async requeue(tx: Transaction, scope: TenantScope, id: string, now: Date): Promise<boolean> {
    const count = await tx.execute(
      `UPDATE trips SET resume_at = $4, updated_at = $4
       WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND resume_at IS NULL AND status IN ('active', 'paused')`,
      [scope.workspaceId, scope.environment, id, now],
    );
    return count > 0;
  }

  /** Trips of a flow or of contacts that are under way, in any order and not locked; at most `limit`. */
  async selectInFlight(
    tx: Transaction,
    scope: TenantScope,
    selection: InFlightSelection,
    limit: number,
  ): Promise<string[]> {
    const [condition, value] =
      'flowId' in selection
        ? ['t.flow_id = $3', selection.flowId]
        : ['t.contact_id = ANY ($3::uuid[])', selection.contactIds];
    const rows = await tx.query<{ id: string }>(
      `SELECT t.id FROM trips t
       WHERE t.workspace_id = $1 AND t.environment = $2 AND ${condition} AND t.completed_at IS NULL
         AND t.status = ANY ($4) LIMIT $5`,
      [scope.workspaceId, scope.environment, value, IN_FLIGHT_STATUSES, limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Locks those of the trips that are under way, so that no worker advances them. Locks in the order of their ids, as
   * all code does that locks several.
   * @param ifLocked what to do about trips that are locked elsewhere.
   * @returns the ids of the locked trips.
   */
  async lockInFlight(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    ifLocked: 'wait' | 'pass over' = 'wait',
  ): Promise<string[]> {
    const rows = await tx.query<{ id: string }>(
      `SELECT t.id FROM trips t
       WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY ($3::uuid[]) AND t.completed_at IS NULL
         AND t.status = ANY ($4)
       ORDER BY t.id FOR NO KEY UPDATE ${ifLocked === 'wait' ? '' : 'SKIP LOCKED'}`,
      [scope.workspaceId, scope.environment, ids, IN_FLIGHT_STATUSES],
    );
    return rows.map(({ id }) => id);
  }

  /** Ends locked trips; returns them. */
  async terminate(
    tx: Transaction,
    scope: TenantScope,
    ids: readonly string[],
    { reason, historyLines }: { readonly reason: TripEndReason; readonly historyLines: string },
    now: Date,
  ): Promise<EndedTrip[]> {
    return tx.query<EndedTrip>(
      `UPDATE trips t SET status = 'terminated', resume_at = NULL, completed_at = $4, updated_at = $4, ended_reason = $6,
         trail = ${appendToHistory('t.trail', '$7::text')}
       WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = ANY ($3::uuid[]) AND t.status = ANY ($5)
       RETURNING ${ENDED_COLUMNS}`,
      [scope.workspaceId, scope.environment, ids, now, statusesBefore('terminated'), reason, historyLines],
    );
  }

  /** How many trips of a flow are not over in this environment. */
  async countInFlight(tx: Transaction, scope: TenantScope, flowId: string): Promise<number> {
    const [row] = await tx.query<{ trips: number }>(
      `SELECT count(*)::int AS trips FROM trips
       WHERE workspace_id = $1 AND environment = $2 AND flow_id = $3 AND completed_at IS NULL`,
      [scope.workspaceId, scope.environment, flowId],
    );
    return row?.trips ?? 0;
  }

  /** Those of the trips that are terminated. */
  async terminatedAmong(tx: Transaction, scope: TenantScope, ids: readonly string[]): Promise<Set<string>> {
    const rows = await tx.query<{ id: string }>(
      `SELECT id FROM trips WHERE workspace_id = $1 AND environment = $2 AND id = ANY ($3::uuid[]) AND status = 'terminated'`,
      [scope.workspaceId, scope.environment, uuidArray(ids)],
      'trips-terminated-among',
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** A page of trips, newest first, with the total count. */
  async list(
    tx: Transaction,
    scope: TenantScope,
    filter: TripFilter,
  ): Promise<{ trips: TripRecord[]; total: number }> {
    const where = `WHERE t.workspace_id = $1 AND t.environment = $2 AND ($3::uuid IS NULL OR t.flow_id = $3)
      AND ($4::uuid IS NULL OR t.contact_id = $4) AND ($5::text IS NULL OR t.status = $5)`;
    const values = [
      scope.workspaceId,
      scope.environment,
      filter.flowId ?? null,
      filter.contactId ?? null,
      filter.status ?? null,
    ];
    const trips = await tx.query<TripRecord>(
      `SELECT ${STATE_COLUMNS}, t.updated_at AS "updatedAt"
       FROM trips t
       ${where} AND ($8::uuid IS NULL OR t.id < $8) ORDER BY t.id DESC LIMIT $6 OFFSET $7`,
      [...values, filter.limit, filter.offset, filter.before ?? null],
    );
    const [count] = await tx.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM trips t ${where}`,
      values,
    );
    return { trips, total: count?.total ?? 0 };
  }
}
