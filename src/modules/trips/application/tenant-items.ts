/** Applies counter changes at the end of a transaction, which may have changed trips of both environments. */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { enterEnvironment } from '../../../platform/database/environments.js';

export interface TenantItem<Item> {
  readonly scope: TenantScope;
  readonly item: Item;
}

/** The items of each environment, sorted by the environments' names, whatever their order in the input. */
export function byEnvironment<Item>(
  items: readonly TenantItem<Item>[],
): { readonly scope: TenantScope; readonly items: readonly Item[] }[] {
  const environments = new Map<string, { readonly scope: TenantScope; readonly items: Item[] }>();
  for (const { scope, item } of items) {
    const known = environments.get(scope.environment);
    if (known) known.items.push(item);
    else environments.set(scope.environment, { scope, items: [item] });
  }
  return [...environments.values()].sort((a, b) => (a.scope.environment < b.scope.environment ? -1 : 1));
}

/**
 * Switches the transaction to each environment in turn and adds its items to the counters there. The order is always
 * the same; otherwise two transactions could deadlock.
 */
export async function forEachEnvironment<Item>(
  tx: Transaction,
  items: readonly TenantItem<Item>[],
  work: (scope: TenantScope, items: readonly Item[]) => Promise<void>,
): Promise<void> {
  for (const { scope, items: own } of byEnvironment(items)) {
    await enterEnvironment(tx, scope);
    await work(scope, own);
  }
}
