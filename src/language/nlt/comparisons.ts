/**
 * Defines the meaning of the comparison operators.
 *
 * Edge cases:
 * - Texts are compared without regard to case and surrounding white space: a marketer who writes `is premium` also
 *   means `Premium`. `is` compares as numbers if one side is a number; an order needs numbers on both sides.
 * - A Date, `today` or `now` on one side makes both sides moments. A day and a time are compared as days in the
 *   contact's time zone. Two ISO texts are compared as dates by `is greater than` and the other order operators.
 * - A missing side makes every comparison false; `is not`, `does not contain` and `not` are then true.
 * - Values without an order (words, lists) are neither greater nor less nor equal.
 * - `contains` searches texts and lists, and compares list entries with `is`. `is one of` searches a list value.
 */
import { compareNumbers as compareExactly, isNumber as isPlainNumber } from '../../kernel/exact-number.js';
import { compare, Decimal } from './decimal.js';
import { WORK_COST } from './limits.js';
import { dayOf, Moment, momentFrom } from './moment.js';
import { comparableOf, mayBeLong, type Numeric, numericOf, toDecimal } from './numeric.js';
import type { RenderState } from './render-context.js';
import { includes } from './text-search.js';
import type { BinaryOperator } from './tree.js';
import { isGroup, isMissing, textOf } from './value-text.js';

export type Comparator = (left: unknown, right: unknown, state: RenderState) => boolean;

/** The function that implements an operator. */
export function comparatorOf(operator: BinaryOperator): Comparator {
  switch (operator) {
    case 'is':
      return equals;
    case 'is not':
      return (left, right, state) => !equals(left, right, state);
    case 'is greater than':
      return ordered((order) => order > 0);
    case 'is less than':
      return ordered((order) => order < 0);
    case 'is at least':
      return ordered((order) => order >= 0);
    case 'is at most':
      return ordered((order) => order <= 0);
    case 'contains':
      return contains;
    case 'does not contain':
      return (left, right, state) => !contains(left, right, state);
    case 'starts with':
      return onTexts((left, right) => left.startsWith(right));
    case 'ends with':
      return onTexts((left, right) => left.endsWith(right));
  }
}

/** Whether two values are equal for `is`. */
function equals(left: unknown, right: unknown, state: RenderState): boolean {
  if (typeof left === 'string' && typeof right === 'string') return sameText(left, right, state);
  if (isMissing(left) || isMissing(right) || isStructure(left) || isStructure(right)) return false;
  if (isMoment(left) || isMoment(right)) return order(left, right, state) === 0;
  if (isNumber(left) || isNumber(right)) return orderOfNumbers(left, right, state) === 0;
  return sameText(textOf(left, state), textOf(right, state), state);
}

function sameText(left: string, right: string, state: RenderState): boolean {
  state.spend(left.length + right.length);
  return left === right || comparable(left) === comparable(right);
}

function comparable(text: string): string {
  return text.trim().toLowerCase();
}

function isStructure(value: unknown): boolean {
  return Array.isArray(value) || isGroup(value);
}

function isMoment(value: unknown): boolean {
  return value instanceof Moment || value instanceof Date;
}

function isNumber(value: unknown): boolean {
  return isPlainNumber(value) || typeof value === 'bigint' || value instanceof Decimal;
}

function compareNumbers(a: Numeric, b: Numeric, state: RenderState): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  state.spend(WORK_COST.exact);
  return compare(toDecimal(a), toDecimal(b));
}

/** Negative, zero or positive; undefined unless both values are numbers. */
function orderOfNumbers(left: unknown, right: unknown, state: RenderState): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const [a, b] = [numericOf(left, state), numericOf(right, state)];
  if (a !== undefined && b !== undefined) return compareNumbers(a, b, state);
  if (!mayBeLong(left) && !mayBeLong(right)) return undefined;
  const [first, second] = [comparableOf(left, state), comparableOf(right, state)];
  return first === undefined || second === undefined ? undefined : compareExactly(first, second);
}

/** Negative, zero or positive; undefined if the values have no order. */
function order(left: unknown, right: unknown, state: RenderState): number | undefined {
  if (!isMoment(left) && !isMoment(right)) {
    const numbers = orderOfNumbers(left, right, state);
    if (numbers !== undefined) return numbers;
    if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  }
  state.spend(2 * WORK_COST.date);
  const [first, second] = [momentFrom(left), momentFrom(right)];
  if (first === undefined || second === undefined) return undefined;
  if (first.precision === 'instant' && second.precision === 'instant') return first.instant - second.instant;
  const { timeZone } = state.setting;
  state.spend(WORK_COST.fields);
  return dayOf(first, timeZone).instant - dayOf(second, timeZone).instant;
}

function ordered(accepts: (order: number) => boolean): Comparator {
  return (left, right, state) => {
    const result = order(left, right, state);
    return result !== undefined && accepts(result);
  };
}

function contains(left: unknown, right: unknown, state: RenderState): boolean {
  if (Array.isArray(left)) {
    state.spend(left.length * WORK_COST.entry);
    return left.some((entry) => equals(entry, right, state));
  }
  return textContains(left, right, state);
}

const textContains = onTexts(includes);

function onTexts(test: (left: string, right: string) => boolean): Comparator {
  return (left, right, state) => {
    if (isMissing(left) || isMissing(right) || isStructure(left) || isStructure(right)) return false;
    const [a, b] = [textOf(left, state), textOf(right, state)];
    state.spend(WORK_COST.search * (a.length + b.length));
    return test(a.toLowerCase(), b.toLowerCase());
  };
}

/** Whether `value` equals `item`, or is a list with an entry that does. */
export function isOneOf(value: unknown, item: unknown, state: RenderState): boolean {
  return Array.isArray(item) ? contains(item, value, state) : equals(value, item, state);
}
