/**
 * Tells whoever keeps what follows from contacts (who is in which segment) that something was learned of some. A port,
 * since they stand above contacts; joined in processes/bindings.module.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

export abstract class ContactNews {
  /** Called in the transaction that stores the contacts, behind the statement that does. */
  abstract learned(
    tx: Transaction,
    scope: TenantScope,
    contactIds: readonly string[],
    now: Date,
  ): Promise<void>;
}
