/** A binary heap: a priority queue that accepts new items at any time. */
export class Heap<Item> {
  private readonly items: Item[] = [];

  /** @param isBefore whether one item comes before another. If neither does, their order is undefined. */
  constructor(private readonly isBefore: (one: Item, other: Item) => boolean) {}

  get size(): number {
    return this.items.length;
  }

  /** Returns the first item; undefined if the heap is empty. */
  peek(): Item | undefined {
    return this.items[0];
  }

  push(item: Item): void {
    const { items } = this;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = items[parentIndex] as Item;
      if (!this.isBefore(item, parent)) break;
      items[index] = parent;
      index = parentIndex;
    }
    items[index] = item;
  }

  /** Removes and returns the first item; undefined if the heap is empty. */
  pop(): Item | undefined {
    const { items } = this;
    const [first] = items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let index = 0;
    for (;;) {
      let childIndex = 2 * index + 1;
      if (childIndex >= items.length) break;
      const right = childIndex + 1;
      if (right < items.length && this.isBefore(items[right] as Item, items[childIndex] as Item))
        childIndex = right;
      const child = items[childIndex] as Item;
      if (!this.isBefore(child, last)) break;
      items[index] = child;
      index = childIndex;
    }
    items[index] = last;
    return first;
  }
}
