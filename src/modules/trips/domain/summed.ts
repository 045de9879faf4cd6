/** Figures that many trips add to at once, summed up before they are stored. */

/**
 * One item of each key, in the order of the keys, in which all transactions store them, so that none waits for another
 * that waits for it.
 */
export function summed<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  add: (sum: Item, item: Item) => Item,
): Item[] {
  const sums = new Map<string, Item>();
  for (const item of items) {
    const key = keyOf(item);
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? item : add(sum, item));
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
