/**
 * Handles changes to a workspace's settings or suspension, since these hold back messages. It is a port because
 * workspaces may not depend on messages; processes/bindings binds it.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

export abstract class SettingsChanges {
  /** Called in the transaction of the change, after the statement that stores it. */
  abstract changed(tx: Transaction, scope: WorkspaceScope, now: Date): Promise<void>;
}
