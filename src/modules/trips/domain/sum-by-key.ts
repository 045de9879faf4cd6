/** Sums up counters that many trips change in the same transaction, before they are stored. */

type KeyPart = string | number;

/** The part of the index for the key parts so far, and for those that follow. */
interface IndexNode<Item> {
  sum: Item | undefined;
  readonly next: Map<KeyPart, IndexNode<Item>>;
}

/**
 * One item per key, sorted by key. All transactions store in this order, so none can deadlock with another. This runs
 * for every trip at every step, so keys are looked up part by part: concatenating them takes longer than all else.
 * @param keysOf the parts of the key, in the order in which they count.
 * @param add returns the sum of two items without changing `sum`.
 */
export function sumByKey<Item>(
  items: Iterable<Item>,
  keysOf: readonly ((item: Item) => KeyPart)[],
  add: (sum: Item, item: Item) => Item,
): Item[] {
  const root = newIndexNode<Item>();
  const leaves: IndexNode<Item>[] = [];
  for (const item of items) {
    let node = root;
    for (const keyOf of keysOf) {
      const key = keyOf(item);
      let next = node.next.get(key);
      if (!next) node.next.set(key, (next = newIndexNode()));
      node = next;
    }
    if (node.sum === undefined) leaves.push(node);
    node.sum = node.sum === undefined ? item : add(node.sum, item);
  }
  return leaves.flatMap(({ sum }) => sum ?? []).sort((a, b) => compareKeys(a, b, keysOf));
}

function newIndexNode<Item>(): IndexNode<Item> {
  return { sum: undefined, next: new Map() };
}

function compareKeys<Item>(a: Item, b: Item, keysOf: readonly ((item: Item) => KeyPart)[]): number {
  for (const keyOf of keysOf) {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
