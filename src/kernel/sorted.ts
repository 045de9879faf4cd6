/** Looking things up in lists that are in order. */

/** How many of a list, which is in the order of `placeOf`, stand at this place or before it. */
export function countUpTo<Item>(
  sorted: readonly Item[],
  place: number,
  placeOf: (item: Item) => number,
): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && placeOf(item) <= place) from = middle + 1;
    else to = middle;
  }
  return from;
}
