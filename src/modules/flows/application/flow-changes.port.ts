/**
 * Handles changes of flows: messages of their trips may be waiting because of the former definition. It is a port
 * because flows may not depend on trips and messages; processes/bindings binds it.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Flow } from '../domain/flow.js';

export abstract class FlowChanges {
  /** Called in the transaction of the change, after the statement that stores it, even if nothing differs. */
  abstract handleChange(
    tx: Transaction,
    scope: WorkspaceScope,
    flow: { readonly before: Flow; readonly after: Flow },
    now: Date,
  ): Promise<void>;
}
