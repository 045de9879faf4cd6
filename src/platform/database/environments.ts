/** Runs work in both environments of a workspace, within one transaction of the workspace. */
import { ENVIRONMENTS, type TenantScope, type WorkspaceScope } from '../../kernel/tenant-scope.js';
import type { Transaction } from './database.js';

/** Moves a workspace's transaction to one of its environments, if it is not there already. It stays there. */
export async function enterEnvironment(tx: Transaction, tenant: TenantScope): Promise<void> {
  await tx.enter(tenant);
}

/**
 * Runs the work in each environment in turn, then restores the transaction's scope. If the work throws, the transaction
 * must be rolled back.
 * @param scope the scope in which the transaction was opened.
 */
export async function inEachEnvironment(
  tx: Transaction,
  scope: WorkspaceScope,
  work: (tenant: TenantScope) => Promise<void>,
): Promise<void> {
  for (const environment of ENVIRONMENTS) {
    const tenant = { workspaceId: scope.workspaceId, environment };
    await enterEnvironment(tx, tenant);
    await work(tenant);
  }
  await tx.enter(scope);
}
