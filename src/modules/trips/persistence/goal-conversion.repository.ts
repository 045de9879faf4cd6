/** Conversions of trips: recorded in sets, with their additions to the goals' counters, and counted over periods. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { integerArray, momentArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Conversion, ConversionDelta, ConversionCounts, GoalHit } from '../domain/conversions.js';
import type { wholeHoursOf } from '../domain/trip-count-delta.js';

/** Which of the eligible trips a hit converts. */
export interface HitTripSelection {
  /** At most this many, the newest first. */
  readonly maxTrips: number;
  /** Only trips under way. Each converts by one event, since the event ends it. */
  readonly onlyInFlight: boolean;
  /** Whether the converted trips are to be ended. */
  readonly ends: boolean;
}

/** The conversion of a trip to a goal by an event. */
export interface RecordedConversion {
  readonly tripId: string;
  readonly goalId: string;
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
}

/** The result of recording. */
export interface RecordedConversions {
  readonly conversions: readonly Conversion[];
  /** Converted trips that are not over, if requested. */
  readonly inFlight: readonly string[];
}

/**
 * Each hit searches the index of a contact's trips through a flow, newest first. The trip that the event itself has
 * started is excluded.
 */
const RECORD_CONVERSIONS = `
  WITH hits AS (
    SELECT * FROM unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::timestamptz[], $9::timestamptz[], $10::uuid[])
      AS h(goal_id, flow_id, event_id, contact_id, occurred_at, earliest_start, trigger_before)),
  pairs AS (
    SELECT h.goal_id, h.event_id, h.occurred_at, t.id AS trip_id, t.started_at, t.completed_at,
      row_number() OVER (PARTITION BY h.goal_id, t.id ORDER BY h.event_id) = 1 AS is_first
    FROM hits h CROSS JOIN LATERAL (
      SELECT id, started_at, completed_at FROM trips
      WHERE workspace_id = $1 AND environment = $2 AND contact_id = h.contact_id AND flow_id = h.flow_id
        AND started_at >= h.earliest_start AND (started_at <= h.occurred_at OR trigger_event_id < h.trigger_before)
        AND trigger_event_id <> h.event_id AND (completed_at IS NULL OR NOT $13)
      ORDER BY started_at DESC LIMIT $11) AS t),
  found AS (
    SELECT goal_id, event_id, occurred_at, trip_id, started_at, completed_at,
      row_number() OVER (PARTITION BY goal_id, event_id ORDER BY started_at DESC, trip_id DESC) = 1 AND NOT EXISTS (
        SELECT FROM goal_conversions c WHERE c.workspace_id = $1 AND c.goal_id = p.goal_id AND c.environment = $2
          AND c.occurred_at = p.occurred_at AND c.counts_event AND c.event_id = p.event_id) AS counts_event,
      is_first AND NOT EXISTS (
        SELECT FROM goal_conversions c WHERE c.workspace_id = $1 AND c.trip_id = p.trip_id AND c.goal_id = p.goal_id)
        AS counts_trip
    FROM pairs p WHERE is_first OR NOT $13),
  recorded AS (
    INSERT INTO goal_conversions (workspace_id, environment, trip_id, goal_id, event_id, entered_at, occurred_at,
      counts_trip, counts_event, recorded_at)
    SELECT $1, $2, trip_id, goal_id, event_id, started_at, occurred_at, counts_trip, counts_event, $3 FROM found
    WHERE counts_trip OR counts_event
    ON CONFLICT (workspace_id, trip_id, goal_id, event_id) DO NOTHING
    RETURNING trip_id, goal_id, event_id, entered_at, occurred_at, counts_trip, counts_event)
  SELECT trip_id AS "tripId", goal_id AS "goalId", event_id AS "eventId", entered_at AS "enteredAt",
    occurred_at AS "occurredAt", counts_trip AS "countsTrip", counts_event AS "countsEvent" FROM recorded
  UNION ALL
  SELECT trip_id, NULL, NULL, NULL, NULL, false, false FROM found WHERE $12 AND completed_at IS NULL GROUP BY trip_id`;

/** Whole hours come from the stored counts; the partial hours at the edges are counted row by row. */
const COUNT_CONVERSIONS = `
  SELECT goal.id AS "goalId", (whole.trips + rest.trips)::float8 AS trips, (whole.events + rest.events)::float8 AS events
  FROM unnest($3::uuid[]) AS goal(id)
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(trips), 0) AS trips, coalesce(sum(events), 0) AS events FROM goal_hours
    WHERE workspace_id = $1 AND environment = $2 AND goal_id = goal.id AND hour >= $4 AND hour < $5) AS whole
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(trips), 0) AS trips, coalesce(sum(events), 0) AS events
    FROM unnest($6::timestamptz[], $7::timestamptz[]) AS span("from", until)
    CROSS JOIN LATERAL (
      SELECT count(*) AS trips FROM goal_conversions
      WHERE workspace_id = $1 AND environment = $2 AND goal_id = goal.id AND counts_trip
        AND entered_at >= span."from" AND entered_at < span.until) AS entered
    CROSS JOIN LATERAL (
      SELECT count(*) AS events FROM goal_conversions
      WHERE workspace_id = $1 AND environment = $2 AND goal_id = goal.id AND counts_event
        AND occurred_at >= span."from" AND occurred_at < span.until) AS occurred) AS rest`;

@Injectable()
export class GoalConversionRepository {
  /**
   * Records that the hits convert the trips that they may convert. Inserts a row for each trip that converts to a
   * goal for the first time, and one for each event that converts any trip, with the newest of them. Repeated
   * conversions add nothing.
   */
  async record(
    tx: Transaction,
    scope: TenantScope,
    hits: readonly GoalHit[],
    { maxTrips, ends, onlyInFlight }: HitTripSelection,
    now: Date,
  ): Promise<RecordedConversions> {
    const rows = await tx.query<Omit<Conversion, 'goalId'> & { readonly goalId: string | null }>(
      RECORD_CONVERSIONS,
      [
        scope.workspaceId,
        scope.environment,
        now,
        uuidArray(hits.map(({ goal }) => goal.id)),
        uuidArray(hits.map(({ goal }) => goal.flowId)),
        uuidArray(hits.map(({ event }) => event.id)),
        uuidArray(hits.map(({ event }) => event.contactId)),
        momentArray(hits.map(({ event }) => event.occurredAt)),
        momentArray(hits.map(({ earliestStart }) => earliestStart)),
        uuidArray(hits.map(({ triggerBefore }) => triggerBefore)),
        maxTrips,
        ends,
        onlyInFlight,
      ],
      'goal-conversions-record',
    );
    return {
      conversions: rows.flatMap(({ goalId, ...one }) => (goalId === null ? [] : [{ ...one, goalId }])),
      inFlight: rows.flatMap(({ goalId, tripId }) => (goalId === null ? [tripId] : [])),
    };
  }

  /** Deletes conversions that only count one of these events. */
  async deleteOfEvents(tx: Transaction, scope: TenantScope, eventIds: readonly string[]): Promise<void> {
    await tx.execute(
      `DELETE FROM goal_conversions
       WHERE workspace_id = $1 AND environment = $2 AND event_id = ANY ($3::uuid[]) AND NOT counts_trip`,
      [scope.workspaceId, scope.environment, uuidArray(eventIds)],
    );
  }

  /** Adds to the goals' counters. A concurrent update of the same goal waits until the transaction ends. */
  async add(tx: Transaction, scope: TenantScope, deltas: readonly ConversionDelta[]): Promise<void> {
    await tx.execute(
      `INSERT INTO goal_hours AS n (workspace_id, environment, goal_id, hour, trips, events)
       SELECT $1, $2, u.* FROM unnest($3::uuid[], $4::timestamptz[], $5::int[], $6::int[]) AS u
       ON CONFLICT (workspace_id, environment, goal_id, hour) DO UPDATE
         SET trips = n.trips + excluded.trips, events = n.events + excluded.events`,
      [
        scope.workspaceId,
        scope.environment,
        uuidArray(deltas.map(({ goalId }) => goalId)),
        momentArray(deltas.map(({ hour }) => hour)),
        integerArray(deltas.map(({ trips }) => trips)),
        integerArray(deltas.map(({ events }) => events)),
      ],
      'goal-hours-add',
    );
  }

  /**
   * Trips' conversions to these goals: the first for each goal and trip, in the order in which they were recorded.
   */
  async ofTrips(
    tx: Transaction,
    scope: TenantScope,
    tripIds: readonly string[],
    goalIds: readonly string[],
    limit: number,
  ): Promise<RecordedConversion[]> {
    return tx.query<RecordedConversion>(
      `SELECT c.* FROM unnest($3::uuid[]) AS trip(id) CROSS JOIN unnest($4::uuid[]) AS goal(id) CROSS JOIN LATERAL (
         SELECT trip_id AS "tripId", goal_id AS "goalId", event_id AS "eventId", occurred_at AS "occurredAt",
           recorded_at AS "recordedAt"
         FROM goal_conversions
         WHERE workspace_id = $1 AND environment = $2 AND trip_id = trip.id AND goal_id = goal.id
         ORDER BY event_id LIMIT $5) AS c ORDER BY "recordedAt", "eventId"`,
      [scope.workspaceId, scope.environment, uuidArray(tripIds), uuidArray(goalIds), limit],
    );
  }

  /** What goals counted in these whole hours and in the partial hours, by goal. */
  async countsOf(
    tx: Transaction,
    scope: TenantScope,
    goalIds: readonly string[],
    { hours, rest }: ReturnType<typeof wholeHoursOf>,
  ): Promise<Map<string, ConversionCounts>> {
    const rows = await tx.query<ConversionCounts & { readonly goalId: string }>(
      COUNT_CONVERSIONS,
      [
        scope.workspaceId,
        scope.environment,
        uuidArray(goalIds),
        hours.from,
        hours.until,
        momentArray(rest.map(({ from }) => from)),
        momentArray(rest.map(({ until }) => until)),
      ],
      'goal-conversions-count',
    );
    return new Map(rows.map(({ goalId, ...count }) => [goalId, count]));
  }
}
