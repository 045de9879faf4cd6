/** Lines of CSV (RFC 4180) that people open in spreadsheets. */

/** What a text begins with that a spreadsheet would run, full-width signs too; a regular expression here and in SQL. */
export const FORMULA_START = String.raw`[=+@\t\r\uFF1D\uFF0B\uFF0D\uFF20-]`;

const FORMULA = new RegExp(`^${FORMULA_START}`);

/** A line of texts from outside: one that a spreadsheet would take for a formula begins with an apostrophe. */
export function guardedLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(FORMULA.test(cell) ? `'${cell}` : cell)).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
