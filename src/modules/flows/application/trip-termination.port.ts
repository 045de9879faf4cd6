/**
 * Ends the trips of a stopped flow, section 3.2. It is a port because trips depend on flows, not the reverse;
 * processes/bindings binds it to the engine.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

export abstract class TripTermination {
  /**
   * Requests, in the caller's transaction that stops the flow, that all its trips in progress end in both
   * environments and that their queued messages are cancelled. After the commit none of these trips takes another
   * step, and the work completes even if the caller dies.
   * @param scope the scope of the transaction.
   */
  abstract terminate(tx: Transaction, scope: WorkspaceScope, flowId: string, now: Date): Promise<void>;

  /** Whether trips of the flow have yet to be ended, as the transaction sees it. */
  abstract isTerminating(tx: Transaction, scope: WorkspaceScope, flowId: string): Promise<boolean>;

  /**
   * Call after that transaction. Resolves when all trips have ended and no message of the flow is being sent, so that
   * no send starts after the stop was answered. It waits a few seconds at most for messages being sent, and blocks no
   * one.
   */
  abstract waitUntilTerminated(scope: WorkspaceScope, flowId: string): Promise<void>;
}
