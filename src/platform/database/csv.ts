/** What CSV files that PostgreSQL writes have in common: texts from outside must not run in a spreadsheet. */
import { FORMULA_START } from '../../kernel/csv-line.js';

/**
 * SQL of a text column for a cell: a text that a spreadsheet would take for a formula begins with an apostrophe, and so does
 * one that looks as if it had one already, so that a reader knows which to take off.
 */
export function guarded(column: string): string {
  return `CASE WHEN ltrim(left(${column}, 255), '''') ~ '^${FORMULA_START}' THEN '''' || ${column} ELSE ${column} END`;
}
