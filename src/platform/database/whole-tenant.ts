/** Statements of a transaction that read a tenant's rows whole, in the background. */
import type { Transaction } from './database.js';
import { allow, BACKGROUND } from './time-limits.js';

/**
 * Prepares the transaction for statements about whole tenants, which the service's connections are set against: with loops
 * in the place of joins, over rows that were taken for few, they might never end. They have minutes, since nobody waits for them.
 */
export async function planForAll(tx: Transaction): Promise<void> {
  await tx.query(allow(BACKGROUND));
  await tx.query(`SELECT set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true),
    set_config('enable_nestloop', 'off', true), set_config('work_mem', '32MB', true), set_config('jit', 'off', true)`);
}
