/** Sums up counters that many trips change in the same transaction, before they are stored. */

type Key = string | number;

/** The part of the index for the key parts so far, and for those that follow. */
interface Branch<Item> {
  sum: Item | undefined;
  readonly next: Map<Key, Branch<Item>>;
}

/**
 * One item per key, sorted by key. All transactions store in this order, so none can deadlock with another. This runs
 * for every trip at every step, so keys are looked up part by part: concatenating them takes longer than all else.
 * @param keysOf the parts of the key, in the order in which they count.
 * @param add returns the sum of two items without changing `sum`.
 */
export function summed<Item>(
  items: Iterable<Item>,
  keysOf: readonly ((item: Item) => Key)[],
  add: (sum: Item, item: Item) => Item,
): Item[] {
  const root = branch<Item>();
  const ends: Branch<Item>[] = [];
  for (const item of items) {
    let at = root;
    for (const keyOf of keysOf) {
      const key = keyOf(item);
      let next = at.next.get(key);
      if (!next) at.next.set(key, (next = branch()));
      at = next;
    }
    if (at.sum === undefined) ends.push(at);
    at.sum = at.sum === undefined ? item : add(at.sum, item);
  }
  return ends.flatMap(({ sum }) => sum ?? []).sort((a, b) => compared(a, b, keysOf));
}

function branch<Item>(): Branch<Item> {
  return { sum: undefined, next: new Map() };
}

function compared<Item>(a: Item, b: Item, keysOf: readonly ((item: Item) => Key)[]): number {
  for (const keyOf of keysOf) {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
