/** Figures that many trips add to at once, summed up before they are stored. */

type Key = string | number;

/** What is known of the keys so far, and of those that follow. */
interface Branch<Item> {
  sum: Item | undefined;
  readonly next: Map<Key, Branch<Item>>;
}

/**
 * One item of each key, in the order of the keys, in which all transactions store them, so that none waits for another
 * that waits for it. Trips come by here at every step, so keys are looked up part by part: putting them together as
 * one text takes longer than all else.
 * @param keysOf the parts of the key, in the order in which they count.
 * @param add gives what two items come to; `sum` is left as it is.
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
