/**
 * Classifies values from any data (missing, empty, number, text) and converts them to text.
 *
 * Edge cases:
 * - Missing: undefined, null, NaN, infinities, functions, symbols, invalid dates. Empty: missing, a text of only white
 *   space, a list or group without entries. 0 and false are neither.
 * - A list shows its texts joined by a comma and a space. A group of values (an object) shows nothing rather than
 *   `[object Object]`. A Date shows its ISO text; `today` and `now` show as "date" and "date and time".
 */
import { ExactNumber } from '../../kernel/exact-number.js';
import { Decimal, decimalFrom } from './decimal.js';
import { WORK_COST } from './limits.js';
import { formatDateTime } from './locale-format.js';
import { isData } from './name-lookup.js';
import { Moment } from './moment.js';
import type { RenderState } from './render-context.js';

export function isMissing(value: unknown): boolean {
  switch (typeof value) {
    case 'undefined':
    case 'function':
    case 'symbol':
      return true;
    case 'number':
      return !Number.isFinite(value);
    case 'object':
      return value === null || (value instanceof Date && Number.isNaN(value.getTime()));
    default:
      return false;
  }
}

export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value === '' || value.trim() === '';
  if (isMissing(value)) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isGroup(value) && Object.keys(value).length === 0;
}

/** Like `isEmpty`, but counts the work of a rendering. */
export function isEmptyIn(value: unknown, state: RenderState): boolean {
  if (typeof value === 'string') state.spend(value.length);
  else if (isGroup(value)) return countFields(value, state) === 0;
  return isEmpty(value);
}

/** The number of fields of a group. */
export function countFields(group: Record<string, unknown>, state: RenderState): number {
  const count = Object.keys(group).length;
  state.spend(count * WORK_COST.entry);
  return count;
}

/** Whether `value` is an object from data, neither a list nor one of the language's own values. */
export function isGroup(value: unknown): value is Record<string, unknown> {
  return isData(value) && !(value instanceof Decimal) && !(value instanceof Moment);
}

/** Whether a value alone is true as a condition. */
export function holds(value: unknown, state: RenderState): boolean {
  return (
    value !== false &&
    value !== 0 &&
    !isEmptyIn(value, state) &&
    !(value instanceof Decimal && value.units === 0n)
  );
}

/** The text that a value shows; empty if it is missing. */
export function textOf(value: unknown, state: RenderState): string {
  if (typeof value === 'string') return value;
  if (isMissing(value)) return '';
  if (typeof value === 'number') return textOfNumber(value);
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Decimal) {
    state.spend(WORK_COST.exact);
    return value.toString();
  }
  if (value instanceof ExactNumber) return value.text;
  if (value instanceof Moment) {
    return formatDateTime(value, value.precision === 'day' ? 'date' : 'date and time', state);
  }
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? joinTexts(value, ', ', state) : '';
}

function textOfNumber(value: number): string {
  const text = String(value);
  return text.includes('e') ? (decimalFrom(text)?.toString() ?? text) : text;
}

/** Joins the texts of a list's entries with `separator`; entries that show nothing are left out. */
export function joinTexts(list: readonly unknown[], separator: string, state: RenderState): string {
  state.spend(list.length * WORK_COST.entry);
  let joined = '';
  for (const entry of list) {
    const text = Array.isArray(entry) ? '' : textOf(entry, state);
    if (text !== '') joined += joined === '' ? text : separator + text;
  }
  state.spend(joined.length);
  return joined;
}
