/** Who works on a tenant's accepted events: one at a time, since their order and what follows from it depend on it. */
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';

/** Waits until nobody else works on the tenant's events; they are the caller's until the transaction ends. */
export async function lockProcessing(tx: Transaction, scope: TenantScope): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended($1, 7288003))`,
    [scopeKey(scope)],
    'events-lock-processing',
  );
}
