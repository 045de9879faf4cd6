/** Settings for background transactions that read all rows of a tenant. */
import type { Transaction } from './database.js';
import { setStatementTimeoutSql, BACKGROUND_TIMEOUT_MS } from './time-limits.js';

/**
 * Prepares the transaction for statements over a whole tenant. The default planner settings favour nested loops, which
 * might never finish if the planner underestimates the number of rows. Statements get minutes, because no caller waits
 * for them.
 */
export async function prepareTenantScan(tx: Transaction): Promise<void> {
  await tx.query(setStatementTimeoutSql(BACKGROUND_TIMEOUT_MS));
  await tx.query(`SELECT set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true),
    set_config('enable_nestloop', 'off', true), set_config('work_mem', '32MB', true), set_config('jit', 'off', true)`);
}
