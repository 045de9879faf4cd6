/** Work in both environments of a workspace, within one transaction of the workspace. */
import { ENVIRONMENTS, type TenantScope, type WorkspaceScope } from '../../kernel/tenant-scope.js';
import type { Transaction } from './database.js';

/** Moves the transaction of a workspace to one of its environments, unless it is there; it stays there. */
export async function moveTo(tx: Transaction, tenant: TenantScope): Promise<void> {
  await tx.enter(tenant);
}

/**
 * Moves the transaction to one environment after the other and does the work in each; behind it the transaction is back
 * in its scope. Where the work throws, the transaction has to be undone.
 * @param scope the scope in which the transaction was opened.
 */
export async function inEachEnvironment(
  tx: Transaction,
  scope: WorkspaceScope,
  work: (tenant: TenantScope) => Promise<void>,
): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    const tenant = { workspaceId: scope.workspaceId, environment };
    await moveTo(tx, tenant);
    await work(tenant);
  }
  await tx.enter(scope);
}
