/** Writes lines of CSV (RFC 4180) that are safe to open in a spreadsheet. */

/**
 * Matches the first character of a text that a spreadsheet would run as a formula, including full-width signs. Used as
 * a regular expression in JavaScript and in SQL.
 */
export const FORMULA_START = String.raw`[=+@\t\r\uFF1D\uFF0B\uFF0D\uFF20-]`;

const FORMULA = new RegExp(`^${FORMULA_START}`);

/** Formats a line of untrusted texts. A text that a spreadsheet would read as a formula gets a leading apostrophe. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(FORMULA.test(cell) ? `'${cell}` : cell)).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
