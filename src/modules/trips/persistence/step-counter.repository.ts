/** The counters of flows' steps. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { integerArray, textArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { TripsAtStep, StepCountDelta } from '../domain/step-count-delta.js';

/** Rows per counter. Usually, fewer connections than that update it at the same time. */
const ROWS_PER_COUNTER = 16;
/** At most this many trips are counted at a step. */
const MAX_COUNTED_TRIPS = 100_000;

/** Skips from step to step along the index, whatever the number of trips, and counts up to the limit at each. */
const COUNT_TRIPS_AT_STEPS = `
WITH RECURSIVE step AS (
  (SELECT last_step FROM trips WHERE workspace_id = $1 AND environment = $2 AND flow_id = $3 AND completed_at IS NULL
   ORDER BY last_step LIMIT 1)
  UNION ALL
  SELECT next.last_step FROM step, LATERAL (
    SELECT t.last_step FROM trips t
    WHERE t.workspace_id = $1 AND t.environment = $2 AND t.flow_id = $3 AND t.completed_at IS NULL
      AND t.last_step > step.last_step ORDER BY t.last_step LIMIT 1) AS next
)
SELECT step.last_step AS "stepId", least(counted.trips, $4)::int AS standing, counted.trips > $4 AS "isMore"
FROM step, LATERAL (SELECT count(*) AS trips FROM (
  SELECT FROM trips t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.flow_id = $3 AND t.completed_at IS NULL
    AND t.last_step = step.last_step LIMIT $4 + 1) AS one) AS counted`;

@Injectable()
export class StepCounterRepository {
  /**
   * Adds to the counters of the transaction's current environment. Must be the last action of a transaction.
   * @param deltas one per flow, step and branch, in that order.
   */
  async add(tx: Transaction, scope: TenantScope, deltas: readonly StepCountDelta[]): Promise<void> {
    if (deltas.length === 0) return;
    await tx.execute(
      `INSERT INTO step_tallies AS n (workspace_id, environment, slot, flow_id, step_id, way, taken)
       SELECT $1, $2, pg_backend_pid() % ${ROWS_PER_COUNTER}, u.*
       FROM unnest($3::uuid[], $4::int[], $5::text[], $6::int[]) AS u
       ON CONFLICT (workspace_id, environment, flow_id, step_id, way, slot)
         DO UPDATE SET taken = n.taken + excluded.taken`,
      [
        scope.workspaceId,
        scope.environment,
        uuidArray(deltas.map(({ flowId }) => flowId)),
        integerArray(deltas.map(({ stepId }) => stepId)),
        textArray(deltas.map(({ way }) => way)),
        integerArray(deltas.map(({ taken }) => taken)),
      ],
      'step-tallies-add',
    );
  }

  /** How often the steps of a flow were taken, by step and branch. */
  async ofFlow(
    tx: Transaction,
    scope: TenantScope,
    flowId: string,
  ): Promise<Pick<StepCountDelta, 'stepId' | 'way' | 'taken'>[]> {
    return tx.query(
      `SELECT step_id AS "stepId", way, sum(taken)::float8 AS taken FROM step_tallies
       WHERE workspace_id = $1 AND environment = $2 AND flow_id = $3 GROUP BY step_id, way ORDER BY step_id, way`,
      [scope.workspaceId, scope.environment, flowId],
      'step-tallies-of-flow',
    );
  }

  /** The number of a flow's trips under way at each step. */
  async tripsAtSteps(tx: Transaction, scope: TenantScope, flowId: string): Promise<TripsAtStep[]> {
    return tx.query<TripsAtStep>(COUNT_TRIPS_AT_STEPS, [
      scope.workspaceId,
      scope.environment,
      flowId,
      MAX_COUNTED_TRIPS,
    ]);
  }
}
