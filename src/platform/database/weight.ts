/** How many bytes a value comes to when it is read, so that batches can be cut by them before they are. */

/**
 * A JSON column's bytes as SQL; 0 where it is null. What is stored as it is tells its size without being read; what is
 * stored compressed tells only the size of that, which may be a hundredth, and is unpacked to be measured.
 */
export function weight(column: string): string {
  return `coalesce(CASE WHEN pg_column_compression(${column}) IS NULL THEN pg_column_size(${column})
    ELSE octet_length(${column}::text) END, 0)`;
}
