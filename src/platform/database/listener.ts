/**
 * Domain events between modules. The announcing module declares a port, an abstract Listener. processes/bindings.module
 * defines the listeners and their order.
 */
import type { TenantScope } from '../../kernel/tenant-scope.js';
import type { Transaction } from './database.js';

export abstract class Listener<Item> {
  /**
   * Handles a batch in the transaction that stores it, after the statements that do. The listener's changes commit or
   * roll back together with it. Effects outside the database, such as wake-ups or metrics, belong in `tx.afterCommit`.
   * If a listener throws, the batch is rolled back.
   * @param batch never empty when called through `Listeners`.
   */
  abstract handle(tx: Transaction, scope: TenantScope, batch: readonly Item[], now: Date): Promise<void>;
}

/** Combines several listeners. They handle each batch in order; empty batches are skipped. */
export class Listeners<Item> extends Listener<Item> {
  constructor(private readonly listeners: readonly Listener<Item>[]) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    batch: readonly Item[],
    now: Date,
  ): Promise<void> {
    if (batch.length === 0) return;
    for (const listener of this.listeners) await listener.handle(tx, scope, batch, now);
  }
}
