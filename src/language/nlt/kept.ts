/**
 * What is made once and kept for later, up to a bound, since the keys come from data. What has been asked for lately
 * stays; what has not is forgotten. A hit costs what one of a Map costs, half of an lru-cache's: names are folded by
 * the dozen for a single value.
 */

/** A cache of two generations: the young one ages when it is full, and what is not asked for again goes with it. */
export class Kept<Value> {
  private young = new Map<string, Value>();
  private old: ReadonlyMap<string, Value> = new Map();

  /** @param most how many values are kept for certain; at times it is twice as many. */
  constructor(private readonly most: number) {}

  /** The value of `key`, made if it is not kept. */
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
