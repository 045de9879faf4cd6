/** Reduces the points of a line without losing any peak or gap. */

/** Maximum number of points per series. */
export const MAX_POINTS = 400;

/**
 * Returns the indexes of the points to draw, ascending: all if there are few; otherwise the first, the last, and the
 * lowest and highest of each segment, so that the outline is preserved. A segment without known values keeps its first
 * point, since that is a gap.
 * @param maxPoints at least 4.
 */
export function samplePoints(values: readonly (number | null)[], maxPoints = MAX_POINTS): number[] {
  const count = values.length;
  if (count <= maxPoints) return values.map((_, index) => index);
  const segments = Math.floor((maxPoints - 2) / 2);
  const indexes = new Set([0, count - 1]);
  for (let segment = 0; segment < segments; segment++) {
    const from = Math.floor((segment * count) / segments);
    const to = Math.floor(((segment + 1) * count) / segments);
    for (const index of extremesOf(values, from, to)) indexes.add(index);
  }
  return [...indexes].sort((a, b) => a - b);
}

function extremesOf(values: readonly (number | null)[], from: number, to: number): readonly number[] {
  let [lowest, highest] = [-1, -1];
  for (let index = from; index < to; index++) {
    const value = values[index] ?? null;
    if (value === null) continue;
    if (lowest < 0 || value < (values[lowest] ?? 0)) lowest = index;
    if (highest < 0 || value > (values[highest] ?? 0)) highest = index;
  }
  return lowest < 0 ? [from] : [lowest, highest];
}
