/** What CSV files that PostgreSQL writes have in common: texts from outside must not run in a spreadsheet. */

/** SQL of a text column for a cell: a text that a spreadsheet would take for a formula begins with an apostrophe. */
export function guarded(column: string): string {
  return `CASE WHEN left(${column}, 1) IN ('=', '+', '-', '@', chr(9), chr(13)) THEN '''' || ${column} ELSE ${column} END`;
}
