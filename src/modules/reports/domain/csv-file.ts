/** The name of a report's file, and its header. */
import type { DateRange } from '../../../kernel/date-range.js';

const MAX_NAME_LENGTH = 60;

/** Only letters, digits and hyphens, so that every file system and HTTP header accepts it. */
export function fileNameOf(report: string, { from, to }: DateRange): string {
  const slug = report
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/^-|-$/g, '');
  const [first, last] = [from, to].map((moment) => moment.toISOString().slice(0, 10));
  return `${slug === '' ? 'report' : slug}-${first}-to-${last}.csv`;
}

/** Formats a line of cells like PostgreSQL does for the lines that follow. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
}
