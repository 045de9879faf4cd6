/** The name of a report's file, and its header. */
import type { DateRange } from '../../../kernel/date-range.js';

const LONGEST_NAME = 60;

/** Only letters, digits and hyphens, so that every file system and HTTP header accepts it. */
export function fileNameOf(report: string, { from, to }: DateRange): string {
  const words = report
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^-|-$/g, '');
  const [first, last] = [from, to].map((moment) => moment.toISOString().slice(0, 10));
  return `${words === '' ? 'report' : words}-${first}-to-${last}.csv`;
}

/** Formats a line of cells like PostgreSQL does for the lines that follow. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
}
