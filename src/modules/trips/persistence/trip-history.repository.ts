/** Reads trips with their trails for explanations, and erases contacts' values from the trails. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { TripWithHistory } from '../domain/trip-with-history.js';
import type { SweepCursor } from '../domain/trip-sweep.js';
import { parseHistory } from '../domain/trip-history.js';
import { STATE_COLUMNS } from './trip-columns.js';

/** Maximum number of trips whose trails are cleared in one transaction. */
export const MAX_ERASED_TRIPS_PER_BATCH = 2_000;

/** Sorts before all flows. */
const FIRST_FLOW = '00000000-0000-0000-0000-000000000000';

/**
 * After a trip come the later ones of its flow, then those of other flows. Each part is read along the index, and no
 * further than needed.
 */
const ERASE_VALUES = `
  WITH later AS (
    (SELECT id, flow_id, started_at FROM trips
     WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3 AND flow_id = $4 AND started_at >= $5
       AND (started_at, id) > ($5, $6::uuid) ORDER BY started_at, id LIMIT $7)
    UNION ALL
    (SELECT id, flow_id, started_at FROM trips
     WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3 AND flow_id > $4
     ORDER BY flow_id, started_at, id LIMIT $7)),
  bite AS MATERIALIZED (SELECT * FROM later ORDER BY flow_id, started_at, id LIMIT $7),
  forgotten AS (
    UPDATE trips t SET trail = (
      SELECT coalesce(string_agg((line::jsonb - 4)::text || E'\\n', '' ORDER BY place), '')
      FROM string_to_table(t.trail, E'\\n') WITH ORDINALITY AS lines(line, place) WHERE line <> '')
    FROM bite WHERE t.workspace_id = $1 AND t.id = bite.id AND t.trail <> '')
  SELECT flow_id AS "flowId", started_at AS "startedAt", id AS "tripId" FROM bite
  ORDER BY flow_id DESC, started_at DESC, id DESC LIMIT 1`;

type Row = Omit<TripWithHistory, 'history'> & { readonly trail: string };

@Injectable()
export class TripHistoryRepository {
  async find(tx: Transaction, scope: TenantScope, id: string): Promise<TripWithHistory | undefined> {
    const [row] = await tx.query<Row>(
      `SELECT ${STATE_COLUMNS}, t.trail FROM trips t WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
      [scope.workspaceId, scope.environment, id],
    );
    return row && tripOf(row);
  }

  /** A contact's latest trips through a flow, latest first. */
  async ofContact(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    flowId: string,
    limit: number,
  ): Promise<TripWithHistory[]> {
    const rows = await tx.query<Row>(
      `SELECT ${STATE_COLUMNS}, t.trail FROM trips t WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3 AND flow_id = $4
       ORDER BY started_at DESC, id DESC LIMIT $5`,
      [scope.workspaceId, scope.environment, contactId, flowId, limit],
    );
    return rows.map(tripOf);
  }

  /** How many trips a contact has, and how many of them have a trail. */
  async countHistories(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
  ): Promise<{ readonly trips: number; readonly trails: number }> {
    const [row] = await tx.query<{ trips: number; trails: number }>(
      `SELECT count(*)::int AS trips, (count(*) FILTER (WHERE trail <> ''))::int AS trails FROM trips
       WHERE workspace_id = $1 AND environment = $2 AND contact_id = $3`,
      [scope.workspaceId, scope.environment, contactId],
    );
    return row ?? { trips: 0, trails: 0 };
  }

  /**
   * Removes a contact's values from the trails of some of its trips (domain/trail: the last member of a line), in the
   * order of the contact's trips by flow and start.
   * @param after the trip after which to begin; null to begin with the first.
   * @returns the last of them; null if there are no more.
   */
  async eraseValues(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    after: SweepCursor | null,
    limit: number,
  ): Promise<SweepCursor | null> {
    const [last] = await tx.query<SweepCursor>(ERASE_VALUES, [
      scope.workspaceId,
      scope.environment,
      contactId,
      after?.flowId ?? FIRST_FLOW,
      after?.startedAt ?? null,
      after?.tripId ?? null,
      limit,
    ]);
    return last ?? null;
  }
}

function tripOf({ trail, ...trip }: Row): TripWithHistory {
  return { ...trip, history: parseHistory(trail) };
}
