/** Looking for each tenant's earliest row without reading the others. */

/**
 * SQL for `workspace_id`, `environment` and `due_at` of each tenant that has such rows: the least of `column` among them.
 * It steps from tenant to tenant along an index on `(workspace_id, environment, column)`, so that many rows of a tenant cost
 * no more than few. `rows` names table and condition (`FROM trips WHERE resume_at IS NOT NULL`); the index has to have
 * that condition, or the condition is that the column is not null.
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
