/** Finds the earliest row of each tenant without reading the others. */

/**
 * SQL for `workspace_id`, `environment` and `due_at` of each tenant with such rows: the minimum of `column`. It skips
 * from tenant to tenant along an index on `(workspace_id, environment, column)`, so the cost does not depend on the
 * number of rows per tenant. `rows` names the table and condition (`FROM trips WHERE resume_at IS NOT NULL`). The index
 * must have the same condition, unless the condition is that the column is not null.
 */
export function earliestOfTenants(rows: string, column: string): string {
  return `
WITH RECURSIVE tenant AS (
  (SELECT workspace_id, environment, ${column} AS due_at ${rows}
   ORDER BY workspace_id, environment, ${column} LIMIT 1)
  UNION ALL
  SELECT next.* FROM tenant AS last, LATERAL (
    SELECT workspace_id, environment, ${column} ${rows}
      AND (workspace_id, environment) > (last.workspace_id, last.environment)
    ORDER BY workspace_id, environment, ${column} LIMIT 1) AS next
)
SELECT workspace_id, environment, due_at FROM tenant`;
}
