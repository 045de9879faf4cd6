/**
 * Counts the trips of flows, for the list of flows and to check for trips in flight. It is a port because trips are a
 * layer above flows; processes/bindings binds it.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { TripTotals } from '../domain/flow-filter.js';

export abstract class TripCounts {
  /** Trips in the scope's environment, by flow; a flow without trips may be missing. */
  abstract ofFlows(
    tx: Transaction,
    scope: TenantScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, TripTotals>>;

  /** How many trips of a flow are in flight in the scope's environment. */
  abstract countInFlight(tx: Transaction, scope: TenantScope, flowId: string): Promise<number>;
}
