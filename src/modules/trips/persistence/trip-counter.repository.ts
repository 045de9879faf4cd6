/** The total counts of flows' trips. Counts of periods are in the rollups (modules/metrics). */
import { Injectable } from '@nestjs/common';
import { integerArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { deltasByFlow, type TripCountDelta, type TripOutcomeCounts } from '../domain/trip-count-delta.js';

const ADD_COUNTS = `started = n.started + excluded.started, completed = n.completed + excluded.completed,
  terminated = n.terminated + excluded.terminated, failed = n.failed + excluded.failed`;

@Injectable()
export class TripCounterRepository {
  /**
   * Adds to the counters of the transaction's current environment. A concurrent update of the same flow waits until
   * the transaction ends, so this must be a transaction's last action.
   */
  async add(tx: Transaction, scope: TenantScope, deltas: readonly TripCountDelta[]): Promise<void> {
    const deltasOfFlows = deltasByFlow(deltas);
    await tx.execute(
      `INSERT INTO trip_tallies AS n (workspace_id, environment, flow_id, started, completed, terminated, failed)
       SELECT $1, $2, u.* FROM unnest($3::uuid[], $4::int[], $5::int[], $6::int[], $7::int[]) AS u
       ON CONFLICT (workspace_id, environment, flow_id) DO UPDATE SET ${ADD_COUNTS}`,
      [
        scope.workspaceId,
        scope.environment,
        uuidArray(deltasOfFlows.map((f) => f.flowId)),
        ...countParams(deltasOfFlows),
      ],
      'trip-tallies-add',
    );
  }

  /** The counts of flows in this environment, by flow. */
  async ofFlows(
    tx: Transaction,
    scope: TenantScope,
    flowIds: readonly string[],
  ): Promise<Map<string, TripOutcomeCounts>> {
    const rows = await tx.query<TripOutcomeCounts & { readonly flowId: string }>(
      `SELECT flow_id AS "flowId", started::float8 AS started, completed::float8 AS completed,
         terminated::float8 AS terminated, failed::float8 AS failed
       FROM trip_tallies WHERE workspace_id = $1 AND environment = $2 AND flow_id = ANY ($3::uuid[])`,
      [scope.workspaceId, scope.environment, flowIds],
      'trip-tallies-of-flows',
    );
    return new Map(rows.map(({ flowId, ...counts }) => [flowId, counts]));
  }
}

/** The four counts as parameters, in the order of the columns. */
function countParams(counts: readonly TripOutcomeCounts[]): Buffer[] {
  return [
    integerArray(counts.map(({ started }) => started)),
    integerArray(counts.map(({ completed }) => completed)),
    integerArray(counts.map(({ terminated }) => terminated)),
    integerArray(counts.map(({ failed }) => failed)),
  ];
}
