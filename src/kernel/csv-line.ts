/** Lines of CSV (RFC 4180) that people open in spreadsheets. */

/** What a spreadsheet would run. */
const FORMULA = /^[=+\-@\t\r]/;

/** A line of texts from outside: one that a spreadsheet would take for a formula begins with an apostrophe. */
export function guardedLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(FORMULA.test(cell) ? `'${cell}` : cell)).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
