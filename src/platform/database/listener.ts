/**
 * How a module tells others what has happened, without knowing them: whoever announces declares a port, an abstract
 * Listener of its own; who listens, and in which order, stands in processes/bindings.module.
 */
import type { TenantScope } from '../../kernel/tenant-scope.js';
import type { Transaction } from './database.js';

export abstract class Listener<Item> {
  /**
   * Hears of a batch in the transaction that stores what it tells of, behind the statements that do. What a listener
   * stores is committed with it, or with it undone; what is to be done outside of the database, such as ringing a bell
   * or counting, is handed to `tx.afterCommit`. A listener that throws undoes the batch.
   * @param batch never empty where it is heard through `Listeners`.
   */
  abstract hear(tx: Transaction, scope: TenantScope, batch: readonly Item[], now: Date): Promise<void>;
}

/** Several listeners as one: each hears a batch when those before it have; none hears of an empty one. */
export class Listeners<Item> extends Listener<Item> {
  constructor(private readonly listeners: readonly Listener<Item>[]) {
    super();
  }

  override async hear(tx: Transaction, scope: TenantScope, batch: readonly Item[], now: Date): Promise<void> {
    if (batch.length === 0) return;
    for (const listener of this.listeners) await listener.hear(tx, scope, batch, now);
  }
}
