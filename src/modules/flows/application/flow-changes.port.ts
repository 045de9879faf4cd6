/**
 * Who hears that a flow has changed, since messages of its trips may be waiting by what it said before. A port, since flows
 * know nothing of trips and messages; joined in processes/bindings.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { Flow } from '../domain/flow.js';

export abstract class FlowChanges {
  /** Hears of it in the transaction of the change, behind the statement that stores it; also where nothing is different. */
  abstract changed(
    tx: Transaction,
    scope: WorkspaceScope,
    flow: { readonly before: Flow; readonly after: Flow },
    now: Date,
  ): Promise<void>;
}
