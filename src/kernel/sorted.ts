/** Binary search in sorted lists. */

/** The number of items at or before this position, in a list sorted by `positionOf`. */
export function countUpTo<Item>(
  sorted: readonly Item[],
  position: number,
  positionOf: (item: Item) => number,
): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && positionOf(item) <= position) from = middle + 1;
    else to = middle;
  }
  return from;
}
