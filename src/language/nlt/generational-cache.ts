/**
 * A bounded cache of computed values; it is bounded because the keys come from data. Recently used entries stay, others
 * are evicted. A hit costs as much as a Map lookup, half of what lru-cache needs: a single value may fold dozens of
 * names.
 */

/**
 * A cache with two generations: when the young one is full it becomes the old one, and unused entries of the previous
 * old one are dropped.
 */
export class GenerationalCache<Value> {
  private young = new Map<string, Value>();
  private old: ReadonlyMap<string, Value> = new Map();

  /** @param maxEntries the guaranteed number of cached values; at times it is twice as many. */
  constructor(private readonly maxEntries: number) {}

  /** The cached value of `key`, computed if absent. */
  get(key: string, compute: (key: string) => Value): Value {
    const cached = this.young.get(key);
    if (cached !== undefined) return cached;
    const value = this.old.get(key) ?? compute(key);
    if (this.young.size >= this.maxEntries) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
    return value;
  }
}
