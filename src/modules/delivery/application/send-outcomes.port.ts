/**
 * Tells whoever asked for a message that its fate is settled. A port, since those who ask (trips) stand above
 * delivery; joined in processes/bindings.module.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

export abstract class SendOutcomes {
  /** Stores, in the transaction that stores the fates, that the trips need wait no longer. */
  abstract settled(
    tx: Transaction,
    scope: TenantScope,
    logs: readonly { readonly tripId: string; readonly step: number }[],
    now: Date,
  ): Promise<void>;

  /** Called when that transaction is committed. */
  abstract announced(scope: TenantScope): void;
}
