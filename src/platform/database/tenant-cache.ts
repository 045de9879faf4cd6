/**
 * An LRU cache, by workspace and key, for values that are expensive to load or compile (templates, flow definitions).
 * The change feed invalidates a workspace's entries when the table behind them changes. Concurrent requests for a key
 * share one load.
 */
import { LRUCache } from 'lru-cache';
import type { ChangeFeed } from './change-feed.js';

export interface CacheOptions<Value> {
  /** Maximum total weight. */
  readonly capacity: number;
  /** Weight of one value, an integer in the unit of the capacity; 1 if absent. */
  readonly weigh?: (value: Value) => number;
}

interface Entry<Value> {
  readonly workspaceId: string;
  readonly value: Value;
}

export class TenantCache<Value> {
  private readonly entries: LRUCache<string, Entry<Value>>;
  /** Loads in progress by key, unless a change was announced since they started. */
  private readonly loading = new Map<string, Promise<ReadonlyMap<string, Value>>>();
  private changes = 0;

  constructor(
    feed: Pick<ChangeFeed, 'listen'>,
    table: string,
    { capacity, weigh = () => 1 }: CacheOptions<Value>,
  ) {
    this.entries = new LRUCache({
      maxSize: capacity,
      sizeCalculation: ({ value }) => Math.max(1, weigh(value)),
    });
    feed.listen((change) => {
      if (change === 'everything') this.invalidateWhere(() => true);
      else if (change.table === table)
        this.invalidateWhere((entry) => entry.workspaceId === change.workspaceId);
    });
  }

  /**
   * Values by key. Loads missing values in one call of `load`; a key that it omits is also missing from the result. A
   * value whose table changes during the load is returned but not cached, because it may be outdated.
   */
  async getMany(
    workspaceId: string,
    keys: Iterable<string>,
    load: (missing: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<Map<string, Value>> {
    const found = new Map<string, Value>();
    const missing: string[] = [];
    const awaited: string[] = [];
    const loads = new Set<Promise<ReadonlyMap<string, Value>>>();
    for (const key of new Set(keys)) {
      const name = nameOf(workspaceId, key);
      const entry = this.entries.get(name);
      const inProgress = this.loading.get(name);
      if (entry) {
        found.set(key, entry.value);
      } else if (inProgress) {
        awaited.push(key);
        loads.add(inProgress);
      } else {
        missing.push(key);
      }
    }
    if (missing.length > 0) loads.add(this.load(workspaceId, missing, load));
    for (const loaded of await Promise.all(loads)) {
      for (const key of [...awaited, ...missing]) {
        const value = loaded.get(key);
        if (value !== undefined) found.set(key, value);
      }
    }
    return found;
  }

  /** Invalidates one value, including a load in progress: later calls load the current value. */
  invalidate(workspaceId: string, key: string): void {
    const name = nameOf(workspaceId, key);
    // A load in progress may predate the change that the caller knows of.
    this.changes++;
    this.entries.delete(name);
    this.loading.delete(name);
  }

  private async load(
    workspaceId: string,
    keys: readonly string[],
    load: (missing: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<ReadonlyMap<string, Value>> {
    const before = this.changes;
    const names = keys.map((key) => nameOf(workspaceId, key));
    const loading = load(keys);
    for (const name of names) this.loading.set(name, loading);
    try {
      const loaded = await loading;
      if (this.changes === before)
        for (const [key, value] of loaded) this.entries.set(nameOf(workspaceId, key), { workspaceId, value });
      return loaded;
    } finally {
      for (const name of names) if (this.loading.get(name) === loading) this.loading.delete(name);
    }
  }

  private invalidateWhere(isStale: (entry: Entry<Value>) => boolean): void {
    this.changes++;
    this.loading.clear();
    for (const [name, entry] of [...this.entries.entries()]) if (isStale(entry)) this.entries.delete(name);
  }
}

function nameOf(workspaceId: string, key: string): string {
  return `${workspaceId} ${key}`;
}
