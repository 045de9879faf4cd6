/**
 * The formats that `as "…"` knows. They are checked when a template is parsed, so that a slip of the pen is found
 * when it is saved and not when it is sent.
 */
import { isDatePattern } from './date-pattern.js';

/** Formats with a name of their own; `currency XXX` and date patterns come on top. */
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

/** The one spelling of a format as the tree holds it, or null if there is no such format. */
export function canonicalFormat(written: string): string | null {
  const name = written.trim().replace(/\s+/g, ' ').toLowerCase();
  if (formatNames.includes(name)) return name;
  const currency = /^currency ([a-z]{3})$/.exec(name)?.[1];
  if (currency !== undefined) return `currency ${currency.toUpperCase()}`;
  return isDatePattern(written) ? written : null;
}
