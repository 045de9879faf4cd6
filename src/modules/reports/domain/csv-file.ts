/** The name of a report's file, and its header. */
import type { DateRange } from '../../../kernel/date-range.js';

const LONGEST_NAME = 60;

/** Letters, digits and hyphens alone, so that every system and every header takes it. */
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

/** A line of cells, as PostgreSQL writes those behind it. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
}
