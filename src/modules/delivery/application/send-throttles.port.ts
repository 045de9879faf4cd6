/**
 * The throttles of sources, section 2.3. A port, because flows and delivery do not know each other; bound in
 * processes/bindings.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Throttle } from '../domain/throttle.js';

export abstract class SendThrottles {
  /** The current throttles of those sources that have one. Usually answered from a cache, without a query. */
  abstract of(
    tx: Transaction,
    scope: WorkspaceScope,
    sourceIds: readonly string[],
  ): Promise<ReadonlyMap<string, Throttle>>;

  /** Like `of`, but read again, as this transaction sees it. */
  abstract read(
    tx: Transaction,
    scope: WorkspaceScope,
    sourceIds: readonly string[],
  ): Promise<ReadonlyMap<string, Throttle>>;
}
