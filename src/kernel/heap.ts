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
    let place = items.length;
    items.push(item);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = items[above] as Item;
      if (!this.isBefore(item, parent)) break;
      items[place] = parent;
      place = above;
    }
    items[place] = item;
  }

  /** Removes and returns the first item; undefined if the heap is empty. */
  pop(): Item | undefined {
    const { items } = this;
    const [first] = items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= items.length) break;
      const right = below + 1;
      if (right < items.length && this.isBefore(items[right] as Item, items[below] as Item)) below = right;
      const child = items[below] as Item;
      if (!this.isBefore(child, last)) break;
      items[place] = child;
      place = below;
    }
    items[place] = last;
    return first;
  }
}
