/** Reads what a filter asks of one value: an operator and what it is compared with. */
import { isNumber, type ExactNumber } from '../../../kernel/exact-number.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { isStorableText, type JsonObject } from '../../../kernel/json.js';
import { isLonger } from '../../../kernel/text-length.js';
import type { FieldPlace, Scalar, ValueTest } from './filter.js';
import { lowerCase } from './lower-case.js';
import { momentOf } from './moment-text.js';

const LONGEST_TEXT = 255;
const MOST_VALUES = 1_000;
const MOST_DAYS = 36_500;

type Operator = ValueTest['operator'];

/** Other names of operators, as users of such services know them. */
const ALIASES: Readonly<Record<string, Operator>> = {
  is_set: 'exists',
  is_not_set: 'not_exists',
  is: 'equals',
  is_not: 'not_equals',
  eq: 'equals',
  neq: 'not_equals',
  gt: 'greater_than',
  gte: 'greater_than_or_equal',
  lt: 'less_than',
  lte: 'less_than_or_equal',
};

type Reader = (operator: never, value: unknown, at: string, kind: FieldPlace['kind']) => ValueTest;

const READERS: Readonly<Record<Operator, Reader>> = {
  exists: readPresence,
  not_exists: readPresence,
  equals: readEquality,
  not_equals: readEquality,
  in: readChoice,
  not_in: readChoice,
  contains: readPart,
  not_contains: readPart,
  starts_with: readPart,
  ends_with: readPart,
  greater_than: readNumber,
  greater_than_or_equal: readNumber,
  less_than: readNumber,
  less_than_or_equal: readNumber,
  before: readMoment,
  after: readMoment,
  on: readDay,
  within_last_days: readDays,
  more_than_days_ago: readDays,
  within_next_days: readDays,
};

const ALL = Object.keys(READERS) as Operator[];
const readBy = (...readers: unknown[]): Operator[] => ALL.filter((one) => readers.includes(READERS[one]));

/** The operators that a place of each kind supports: properties may hold anything. */
const SUPPORTED: Readonly<Record<FieldPlace['kind'], readonly Operator[]>> = {
  text: readBy(readPresence, readEquality, readChoice, readPart),
  moment: readBy(readPresence, readMoment, readDay, readDays),
  json: ALL,
};

/**
 * Reads `{operator, value}`.
 * @param at where it stands, for errors.
 * @param kind of the place that is asked; where it holds nothing but text, a number is compared as its text.
 * @throws DomainError invalid_filter_operator or invalid_field.
 */
export function readTest(input: JsonObject, at: string, kind: FieldPlace['kind']): ValueTest {
  const { operator, value } = input;
  const name =
    typeof operator === 'string' && Object.hasOwn(ALIASES, operator) ? ALIASES[operator] : operator;
  const supported = SUPPORTED[kind].find((one) => one === name);
  if (supported === undefined) throw badOperator(operator, at, SUPPORTED[kind]);
  return READERS[supported](supported as never, value, `${at}.value`, kind);
}

/** The refusal of an operator that a place does not support. */
export function badOperator(operator: unknown, at: string, supported: readonly string[]): DomainError {
  const field = `${at}.operator`;
  const message = `${JSON.stringify(operator) ?? 'nothing'} is none of ${supported.join(', ')}`;
  return new DomainError('invalid_filter_operator', `${field}: ${message}`, {
    operator: operator ?? null,
    field,
    errors: [{ field, message }],
  });
}

function readPresence(operator: 'exists' | 'not_exists', value: unknown, at: string): ValueTest {
  if (value !== undefined && value !== null) throw wrong(at, `must be left out with ${operator}`);
  return { operator };
}

function readEquality(
  operator: 'equals' | 'not_equals',
  value: unknown,
  at: string,
  kind: FieldPlace['kind'],
): ValueTest {
  return { operator, value: scalar(value, at, kind) };
}

function readChoice(
  operator: 'in' | 'not_in',
  value: unknown,
  at: string,
  kind: FieldPlace['kind'],
): ValueTest {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_VALUES)
    throw wrong(at, `must be a list of 1 to ${MOST_VALUES} values`);
  return { operator, values: value.map((one, index) => scalar(one, `${at}[${index}]`, kind)) };
}

function readPart(
  operator: 'contains' | 'not_contains' | 'starts_with' | 'ends_with',
  value: unknown,
  at: string,
): ValueTest {
  if (typeof value !== 'string' || value === '') throw wrong(at, 'must be a text');
  return { operator, text: lowerCase(text(value, at)) };
}

function readNumber(
  operator: 'greater_than' | 'greater_than_or_equal' | 'less_than' | 'less_than_or_equal',
  value: unknown,
  at: string,
): ValueTest {
  if (!isUsableNumber(value)) throw wrong(at, 'must be a number');
  return { operator, number: value };
}

function readMoment(operator: 'before' | 'after', value: unknown, at: string): ValueTest {
  const moment = typeof value === 'string' ? momentOf(value) : undefined;
  if (!moment) throw wrong(at, 'must be a date or a date and time in ISO 8601');
  return { operator, moment };
}

function readDay(operator: 'on', value: unknown, at: string): ValueTest {
  const day = typeof value === 'string' && value.length === 10 ? momentOf(value) : undefined;
  if (!day) throw wrong(at, 'must be a date, such as 2026-03-01');
  return { operator, day: day.toISOString().slice(0, 10) };
}

function readDays(
  operator: 'within_last_days' | 'more_than_days_ago' | 'within_next_days',
  value: unknown,
  at: string,
): ValueTest {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > MOST_DAYS)
    throw wrong(at, `must be a number of days from 1 to ${MOST_DAYS}`);
  return { operator, days: value };
}

function scalar(value: unknown, at: string, kind: FieldPlace['kind']): Scalar {
  if (typeof value === 'string') return text(value, at);
  if (typeof value === 'boolean' || isUsableNumber(value)) return kind === 'text' ? String(value) : value;
  throw wrong(at, 'must be a text, a number, true or false');
}

function isUsableNumber(value: unknown): value is number | ExactNumber {
  return isNumber(value) && value !== Infinity && value !== -Infinity;
}

function text(value: string, at: string): string {
  if (isLonger(value, LONGEST_TEXT)) throw wrong(at, `must be at most ${LONGEST_TEXT} characters long`);
  if (!isStorableText(value)) throw wrong(at, 'must not hold NUL or half characters');
  return value;
}

function wrong(field: string, message: string): DomainError {
  return invalidFields([{ field, message }]);
}
