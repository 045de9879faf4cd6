/**
 * Ends the trips of a flow that is stopped, section 3.2. A port, since trips are made of flows and not the other way
 * round; processes/bindings joins it to the engine.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

export abstract class TripTermination {
  /**
   * Asks in the caller's transaction, which stops the flow, that all trips of it that are in progress end, in both
   * environments, and their queued messages are called off. Once it is committed, none of them takes another step, and
   * all of it will be done, whatever becomes of the caller.
   * @param scope the scope of the transaction.
   */
  abstract terminate(tx: Transaction, scope: WorkspaceScope, flowId: string, now: Date): Promise<void>;

  /** Whether trips of the flow have still to be ended, as far as the transaction sees. */
  abstract isTerminating(tx: Transaction, scope: WorkspaceScope, flowId: string): Promise<boolean>;

  /**
   * For after that transaction: resolves when all trips have been ended and no message of the flow is being sent any
   * more, so that none starts once the stop has been answered. It waits for messages that are being sent for seconds at
   * most, and holds nobody up.
   */
  abstract terminated(scope: WorkspaceScope, flowId: string): Promise<void>;
}
