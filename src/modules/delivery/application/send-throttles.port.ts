/**
 * How fast sources let their messages go, section 2.3. A port, since flows know nothing of delivery and delivery nothing of
 * flows; joined in processes/bindings.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Throttle } from '../domain/throttle.js';

export abstract class SendThrottles {
  /** The throttles of those of the sources that have one, as they stand now; known without a query as a rule. */
  abstract of(
    tx: Transaction,
    scope: WorkspaceScope,
    sourceIds: readonly string[],
  ): Promise<ReadonlyMap<string, Throttle>>;

  /** As `of`, read anew, with what this transaction sees. */
  abstract read(
    tx: Transaction,
    scope: WorkspaceScope,
    sourceIds: readonly string[],
  ): Promise<ReadonlyMap<string, Throttle>>;
}
