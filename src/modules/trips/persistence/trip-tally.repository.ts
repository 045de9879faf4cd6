/** The total counts of flows' trips. Counts of periods are in the rollups (modules/metrics). */
import { Injectable } from '@nestjs/common';
import { integerArray, uuidArray } from '../../../platform/database/array-parameters.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { talliesOfFlows, type TallyChange, type TripTally } from '../domain/trip-tally.js';

const SUMS = `started = n.started + excluded.started, completed = n.completed + excluded.completed,
  terminated = n.terminated + excluded.terminated, failed = n.failed + excluded.failed`;

@Injectable()
export class TripTallyRepository {
  /**
   * Adds to the counters of the transaction's current environment. A concurrent update of the same flow waits until
   * the transaction ends, so this must be a transaction's last action.
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
  }

  /** The counts of flows in this environment, by flow. */
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
}

/** The four counts as parameters, in the order of the columns. */
function figures(changes: readonly TripTally[]): Buffer[] {
  return [
    integerArray(changes.map(({ started }) => started)),
    integerArray(changes.map(({ completed }) => completed)),
    integerArray(changes.map(({ terminated }) => terminated)),
    integerArray(changes.map(({ failed }) => failed)),
  ];
}
