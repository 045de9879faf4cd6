/** Computes the size of values before they are read, so that batches can be limited by size. */

/**
 * SQL for the size of a JSON column in bytes, as read; 0 if it is null. Its size on disk is no measure: it may be
 * compressed, and a number of a few bytes may print as a thousand digits.
 */
export function byteSizeSql(column: string): string {
  return `coalesce(octet_length(${column}::text), 0)`;
}

/** Maximum bytes of contacts, and of other weighed values, that a batch reads. */
export const MAX_BATCH_BYTES = 16 * 1024 * 1024;

/**
 * The number of leading rows whose values fit together; at least one.
 * @param ids for each row the id of the value it needs, which is read once however many rows need it; undefined if it
 *   needs none.
 * @param sizes bytes by id.
 */
export function fittingCount(
  ids: readonly (string | readonly string[] | undefined)[],
  sizes: ReadonlyMap<string, number>,
): number {
  const counted = new Set<string>();
  let bytes = 0;
  const count = (id: string): void => {
    if (counted.has(id)) return;
    counted.add(id);
    bytes += sizes.get(id) ?? 0;
  };
  const tooMany = ids.findIndex((needed, index) => {
    if (needed === undefined) return false;
    if (typeof needed === 'string') count(needed);
    else for (const id of needed) count(id);
    return bytes > MAX_BATCH_BYTES && index > 0;
  });
  return tooMany === -1 ? ids.length : tooMany;
}
