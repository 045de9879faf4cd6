/** What is added to figures at the end of a transaction, which may have changed trips of both environments. */
import type { TenantScope } from '../../../kernel/tenant-scope.js';

export interface OfTenant<Item> {
  readonly scope: TenantScope;
  readonly item: Item;
}

/** Does the work for each environment with its items, one behind the other. */
export async function inEachOf<Item>(
  items: readonly OfTenant<Item>[],
  work: (scope: TenantScope, items: readonly Item[]) => Promise<void>,
): Promise<void> {
  for (const environment of new Set(items.map(({ scope }) => scope.environment))) {
    const ofTenant = items.filter(({ scope }) => scope.environment === environment);
    const [first] = ofTenant;
    if (first)
      await work(
        first.scope,
        ofTenant.map(({ item }) => item),
      );
  }
}
