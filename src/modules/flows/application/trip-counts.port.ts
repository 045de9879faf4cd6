/** How many trips flows have had and have, for their list and for what trips in flight stand against. A port, since trips stand above flows; joined in processes/bindings. */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { TripFigures } from '../domain/flow-filter.js';

export abstract class TripCounts {
  /** Trips in the scope's environment, by flow; a flow without any may be missing. */
  abstract ofFlows(
    tx: Transaction,
    scope: TenantScope,
    flowIds: readonly string[],
  ): Promise<ReadonlyMap<string, TripFigures>>;

  /** How many trips of a flow are in flight in the scope's environment. */
  abstract inFlight(tx: Transaction, scope: TenantScope, flowId: string): Promise<number>;
}
