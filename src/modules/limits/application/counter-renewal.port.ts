/**
 * Implemented by other modules that count by the month and reset when a billing period starts (section 8.2). A port,
 * because they belong to a higher layer than limits; bound in processes/bindings.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

export abstract class CounterRenewal {
  /** Resets the counts of the current month, in the transaction of the renewal. */
  abstract renew(tx: Transaction, workspace: WorkspaceScope, now: Date): Promise<void>;
}
