/**
 * Ends the trips of a flow that is stopped, section 3.2. A port, since trips are made of flows and not the other way
 * round; processes/bindings joins it to the engine.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

export abstract class TripTermination {
  /**
   * Ends all trips of the flow that are in progress, in both environments, and cancels their queued messages, inside
   * the caller's transaction.
   * @param scope the scope of the transaction.
   * @returns how many trips were ended.
   */
  abstract terminate(tx: Transaction, scope: WorkspaceScope, flowId: string, now: Date): Promise<number>;

  /**
   * For after that transaction: resolves when no message of the flow is being sent any more, so that none starts once the
   * stop has been answered; after seconds in any case.
   */
  abstract ended(scope: WorkspaceScope, flowId: string): Promise<void>;
}
