/**
 * Tells whoever asked for a message that its fate is settled. A port, since those who ask (trips) stand above
 * delivery; joined in processes/bindings.module.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { MessageState } from '../domain/email-log.js';

export abstract class SendOutcomes {
  /** Stores, in the transaction that stores the fates, that nobody need wait for them any longer. */
  abstract settled(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly MessageState[],
    now: Date,
  ): Promise<void>;

  /** Called when that transaction is committed. */
  abstract announced(scope: TenantScope): void;
}
