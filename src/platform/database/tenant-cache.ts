/**
 * Keeps what is dear to load or to compile (templates, flow definitions) in this process, by workspace and key.
 * Bounded: what was used longest ago goes first. A workspace's entries are dropped as soon as the change feed tells
 * of a change in the table that they were made from. Whoever asks for what is being loaded waits for that load.
 */
import { LRUCache } from 'lru-cache';
import type { ChangeFeed } from './change-feed.js';

export interface CacheBound<Value> {
  /** Most weight kept at a time. */
  readonly capacity: number;
  /** Weight of one value, a whole number in the unit of the capacity; 1 when absent. */
  readonly weigh?: (value: Value) => number;
}

interface Entry<Value> {
  readonly workspaceId: string;
  readonly value: Value;
}

export class TenantCache<Value> {
  private readonly entries: LRUCache<string, Entry<Value>>;
  /** What is being loaded, by the names of its keys, unless a change was told meanwhile. */
  private readonly underWay = new Map<string, Promise<ReadonlyMap<string, Value>>>();
  private changes = 0;

  constructor(
    feed: Pick<ChangeFeed, 'listen'>,
    table: string,
    { capacity, weigh = () => 1 }: CacheBound<Value>,
  ) {
    this.entries = new LRUCache({
      maxSize: capacity,
      sizeCalculation: ({ value }) => Math.max(1, weigh(value)),
    });
    feed.listen((change) => {
      if (change === 'everything') this.drop(() => true);
      else if (change.table === table) this.drop((entry) => entry.workspaceId === change.workspaceId);
    });
  }

  /**
   * Values by key; those not kept are asked of `load` in one call, and a key that it leaves out is not in the answer.
   * What is loaded while news of a change comes in is given out but not kept, since it may be older than the news.
   */
  async many(
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
      const waitFor = this.underWay.get(name);
      if (entry) {
        found.set(key, entry.value);
      } else if (waitFor) {
        awaited.push(key);
        loads.add(waitFor);
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

  /** Drops one value, and what is being loaded for it: whoever asks next is told what there is then. */
  forget(workspaceId: string, key: string): void {
    const name = nameOf(workspaceId, key);
    // What is being loaded now may be older than whoever forgets.
    this.changes++;
    this.entries.delete(name);
    this.underWay.delete(name);
  }

  private async load(
    workspaceId: string,
    keys: readonly string[],
    load: (missing: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<ReadonlyMap<string, Value>> {
    const before = this.changes;
    const names = keys.map((key) => nameOf(workspaceId, key));
    const underWay = load(keys);
    for (const name of names) this.underWay.set(name, underWay);
    try {
      const loaded = await underWay;
      if (this.changes === before)
        for (const [key, value] of loaded) this.entries.set(nameOf(workspaceId, key), { workspaceId, value });
      return loaded;
    } finally {
      for (const name of names) if (this.underWay.get(name) === underWay) this.underWay.delete(name);
    }
  }

  private drop(isStale: (entry: Entry<Value>) => boolean): void {
    this.changes++;
    this.underWay.clear();
    for (const [name, entry] of [...this.entries.entries()]) if (isStale(entry)) this.entries.delete(name);
  }
}

function nameOf(workspaceId: string, key: string): string {
  return `${workspaceId} ${key}`;
}
