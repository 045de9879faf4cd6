/**
 * Who hears that the settings of a workspace have changed, or whether it is suspended, since these hold messages back. A port, since workspaces know
 * nothing of messages; joined in processes/bindings.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

export abstract class SettingsChanges {
  /** Hears of it in the transaction of the change, behind the statement that stores it. */
  abstract changed(tx: Transaction, scope: WorkspaceScope, now: Date): Promise<void>;
}
