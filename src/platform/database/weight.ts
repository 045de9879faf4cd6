/** How many bytes a value comes to when it is read, so that batches can be cut by them before they are. */

/**
 * A JSON column's bytes as SQL, as it is read; 0 where it is null. What it takes on disk says little: it may be stored
 * compressed, and a number of a few bytes is written with a thousand digits.
 */
export function weight(column: string): string {
  return `coalesce(octet_length(${column}::text), 0)`;
}

/** Most bytes that a batch reads of contacts, and of whatever else it weighs. */
export const BATCH_BYTES = 16 * 1024 * 1024;

/**
 * How many rows, from the first on, are not too large together; one in any case.
 * @param ids for each row what it needs read, which is read once however many rows need it; undefined where nothing is.
 * @param weights bytes by id.
 */
export function fittingCount(
  ids: readonly (string | readonly string[] | undefined)[],
  weights: ReadonlyMap<string, number>,
): number {
  const counted = new Set<string>();
  let bytes = 0;
  const count = (id: string): void => {
    if (counted.has(id)) return;
    counted.add(id);
    bytes += weights.get(id) ?? 0;
  };
  const tooMany = ids.findIndex((needed, place) => {
    if (needed === undefined) return false;
    if (typeof needed === 'string') count(needed);
    else for (const id of needed) count(id);
    return bytes > BATCH_BYTES && place > 0;
  });
  return tooMany === -1 ? ids.length : tooMany;
}
