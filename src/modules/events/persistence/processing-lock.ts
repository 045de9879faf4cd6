/**
 * The lock for processing a tenant's accepted events. Only one worker at a time may hold it, because the result depends
 * on the order of events.
 */
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

/** Takes the tenant's `scopeKey`. */
export const LOCK_PROCESSING = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 7288003))';

/** Waits for other workers on the tenant's events. The caller then has the lock until the transaction ends. */
export async function lockProcessing(tx: Transaction, scope: TenantScope): Promise<void> {
  await tx.query(LOCK_PROCESSING, [scopeKey(scope)], 'events-lock-processing');
}
