/**
 * The formats that `as "…"` supports. They are checked when a template is parsed, so that a mistake is found when the
 * template is saved and not when it is sent.
 */
import { isDatePattern } from './date-pattern.js';

/** Named formats; `currency XXX` and date patterns are supported in addition. */
const formatNames: readonly string[] = [
  'currency',
  'number',
  'percent',
  'date',
  'short date',
  'long date',
  'time',
  'date and time',
  'html',
];

/** The canonical spelling of a format, as the tree stores it, or null if there is no such format. */
export function canonicalFormat(written: string): string | null {
  const name = written.trim().replace(/\s+/g, ' ').toLowerCase();
  if (formatNames.includes(name)) return name;
  const currency = /^currency ([a-z]{3})$/.exec(name)?.[1];
  if (currency !== undefined) return `currency ${currency.toUpperCase()}`;
  return isDatePattern(written) ? written : null;
}
