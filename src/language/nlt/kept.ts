/**
 * A bounded cache of computed values; it is bounded because the keys come from data. Recently used entries stay, others
 * are evicted. A hit costs as much as a Map lookup, half of what lru-cache needs: a single value may fold dozens of
 * names.
 */

/**
 * A cache with two generations: when the young one is full it becomes the old one, and unused entries of the previous
 * old one are dropped.
 */
export class Kept<Value> {
  private young = new Map<string, Value>();
  private old: ReadonlyMap<string, Value> = new Map();

  /** @param most the guaranteed number of cached values; at times it is twice as many. */
  constructor(private readonly most: number) {}

  /** The cached value of `key`, computed if absent. */
  get(key: string, make: (key: string) => Value): Value {
    const kept = this.young.get(key);
    if (kept !== undefined) return kept;
    const value = this.old.get(key) ?? make(key);
    if (this.young.size >= this.most) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
    return value;
  }
}
