/** The figures of flows' trips, in all and by hour. */
import { Injectable } from '@nestjs/common';
import { integerArray, momentArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import {
  summedTallies,
  talliesOfFlows,
  type hoursOf,
  type TallyChange,
  type TripTally,
} from '../domain/trip-tally.js';

const SUMS = `started = n.started + excluded.started, completed = n.completed + excluded.completed,
  terminated = n.terminated + excluded.terminated, failed = n.failed + excluded.failed`;

@Injectable()
export class TripTallyRepository {
  /**
   * Adds to the figures of the environment that the transaction is in. Who else adds to the same flow's waits until it
   * ends, so it is the last that a transaction does.
   */
  async add(tx: Transaction, scope: TenantScope, changes: readonly TallyChange[]): Promise<void> {
    const flows = talliesOfFlows(changes);
    await tx.execute(
      `INSERT INTO trip_tallies AS n (workspace_id, environment, flow_id, started, completed, terminated, failed)
       SELECT $1, $2, u.* FROM unnest($3::uuid[], $4::int[], $5::int[], $6::int[], $7::int[]) AS u
       ON CONFLICT (workspace_id, environment, flow_id) DO UPDATE SET ${SUMS}`,
      [scope.workspaceId, scope.environment, uuidArray(flows.map((f) => f.flowId)), ...figures(flows)],
      'trip-tallies-add',
    );
    const hours = summedTallies(changes);
    await tx.execute(
      `INSERT INTO trip_hours AS n (workspace_id, environment, flow_id, hour, started, completed, terminated, failed)
       SELECT $1, $2, u.* FROM unnest($3::uuid[], $4::timestamptz[], $5::int[], $6::int[], $7::int[], $8::int[]) AS u
       ON CONFLICT (workspace_id, environment, flow_id, hour) DO UPDATE SET ${SUMS}`,
      [
        scope.workspaceId,
        scope.environment,
        uuidArray(hours.map((h) => h.flowId)),
        momentArray(hours.map((h) => h.hour)),
        ...figures(hours),
      ],
      'trip-hours-add',
    );
  }

  /** The figures of flows in this environment, by flow. */
  async ofFlows(
    tx: Transaction,
    scope: TenantScope,
    flowIds: readonly string[],
  ): Promise<Map<string, TripTally>> {
    const rows = await tx.query<TripTally & { readonly flowId: string }>(
      `SELECT flow_id AS "flowId", started::float8 AS started, completed::float8 AS completed,
         terminated::float8 AS terminated, failed::float8 AS failed
       FROM trip_tallies WHERE workspace_id = $1 AND environment = $2 AND flow_id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, flowIds],
      'trip-tallies-of-flows',
    );
    return new Map(rows.map(({ flowId, ...tally }) => [flowId, tally]));
  }

  /** How many trips of a flow started in these hours and in what is left beside them. */
  async startedWithin(
    tx: Transaction,
    scope: TenantScope,
    flowId: string,
    { hours, rest }: ReturnType<typeof hoursOf>,
  ): Promise<number> {
    const [row] = await tx.query<{ started: number }>(
      `SELECT (SELECT coalesce(sum(started), 0)::float8 FROM trip_hours
           WHERE workspace_id = $1 AND environment = $2 AND flow_id = $3 AND hour >= $4 AND hour < $5)
         + (SELECT count(*) FROM unnest($6::timestamptz[], $7::timestamptz[]) AS rest("from", until), LATERAL (
             SELECT FROM trips t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.flow_id = $3
               AND t.started_at >= rest."from" AND t.started_at < rest.until) AS one) AS started`,
      [
        scope.workspaceId,
        scope.environment,
        flowId,
        hours.from,
        hours.until,
        momentArray(rest.map(({ from }) => from)),
        momentArray(rest.map(({ until }) => until)),
      ],
      'trips-started-within',
    );
    return row?.started ?? 0;
  }
}

/** The four figures as parameters, in the order of the columns. */
function figures(changes: readonly TripTally[]): Buffer[] {
  return [
    integerArray(changes.map(({ started }) => started)),
    integerArray(changes.map(({ completed }) => completed)),
    integerArray(changes.map(({ terminated }) => terminated)),
    integerArray(changes.map(({ failed }) => failed)),
  ];
}
