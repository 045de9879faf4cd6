/**
 * Who else counts something by the month, and begins anew when a billing period does (section 8.2). A port, since they
 * stand above limits; joined in processes/bindings.
 */
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

export abstract class CounterRenewal {
  /** Has what is counted of the present month begin at 0, in the transaction of the renewal. */
  abstract renew(tx: Transaction, workspace: WorkspaceScope, now: Date): Promise<void>;
}
