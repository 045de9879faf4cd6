/** Shared SQL for CSV files that PostgreSQL writes: untrusted texts must not run as formulas in a spreadsheet. */
import { FORMULA_START } from '../../kernel/csv-line.js';

/**
 * SQL that escapes a text column for a cell. A text that a spreadsheet would read as a formula gets a leading
 * apostrophe. So does a text that looks already escaped, so that a reader knows which apostrophe to remove.
 */
export function escapeFormulaSql(column: string): string {
  return `CASE WHEN ltrim(left(${column}, 255), '''') ~ '^${FORMULA_START}' THEN '''' || ${column} ELSE ${column} END`;
}
