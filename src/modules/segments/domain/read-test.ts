/** Reads the test of one value: an operator and its operand. */
import { isNumber, type ExactNumber } from '../../../kernel/exact-number.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { isStorableText, type JsonObject } from '../../../kernel/json.js';
import { isLonger } from '../../../kernel/text-length.js';
import { parseMoment } from '../../../kernel/parse-moment.js';
import type { Scalar, ValueTest } from './filter.js';
import { lowerCase } from './lower-case.js';
import {
  operandOf,
  operatorOf,
  OPERATORS_OF,
  type Operand,
  type FieldRefKind,
  type OperatorTaking,
} from './operators.js';

const LONGEST_TEXT = 255;
const MAX_VALUES = 1_000;
const MAX_DAYS = 36_500;

type Reader = (operator: never, value: unknown, at: string, kind: FieldRefKind) => ValueTest;

const READERS: Readonly<Record<Operand, Reader>> = {
  nothing: readPresence,
  value: readEquality,
  values: readChoice,
  part: readPart,
  number: readNumber,
  moment: readMoment,
  day: readDay,
  days: readDays,
};

/**
 * Reads `{operator, value}`.
 * @param at its location, for errors.
 * @param kind kind of the tested field; if it holds only text, a number is compared as text.
 * @throws DomainError invalid_filter_operator or invalid_field.
 */
export function readTest(input: JsonObject, at: string, kind: FieldRefKind): ValueTest {
  const operator = operatorOf(input['operator'], kind);
  if (operator === undefined) throw badOperator(input['operator'], at, OPERATORS_OF[kind]);
  return READERS[operandOf(operator)](operator as never, input['value'], `${at}.value`, kind);
}

/** The error for an operator that a field does not support. */
export function badOperator(operator: unknown, at: string, supported: readonly string[]): DomainError {
  const field = `${at}.operator`;
  const message = `${JSON.stringify(operator) ?? 'nothing'} is not one of ${supported.join(', ')}`;
  return new DomainError('invalid_filter_operator', `${field}: ${message}`, {
    operator: operator ?? null,
    field,
    errors: [{ field, message }],
  });
}

function readPresence(operator: OperatorTaking<'nothing'>, value: unknown, at: string): ValueTest {
  if (value !== undefined && value !== null) throw invalidField(at, `must be omitted with ${operator}`);
  return { operator };
}

function readEquality(
  operator: OperatorTaking<'value'>,
  value: unknown,
  at: string,
  kind: FieldRefKind,
): ValueTest {
  return { operator, value: scalar(value, at, kind) };
}

function readChoice(
  operator: OperatorTaking<'values'>,
  value: unknown,
  at: string,
  kind: FieldRefKind,
): ValueTest {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_VALUES)
    throw invalidField(at, `must be a list of 1 to ${MAX_VALUES} values`);
  return { operator, values: value.map((one, index) => scalar(one, `${at}[${index}]`, kind)) };
}

function readPart(operator: OperatorTaking<'part'>, value: unknown, at: string): ValueTest {
  if (typeof value !== 'string' || value === '') throw invalidField(at, 'must be a string');
  return { operator, text: lowerCase(text(value, at)) };
}

function readNumber(operator: OperatorTaking<'number'>, value: unknown, at: string): ValueTest {
  if (!isUsableNumber(value)) throw invalidField(at, 'must be a number');
  return { operator, number: value };
}

function readMoment(operator: OperatorTaking<'moment'>, value: unknown, at: string): ValueTest {
  const moment = typeof value === 'string' ? parseMoment(value) : undefined;
  if (!moment) throw invalidField(at, 'must be an ISO 8601 date or date-time');
  return { operator, moment: new Date(moment.instant) };
}

function readDay(operator: OperatorTaking<'day'>, value: unknown, at: string): ValueTest {
  const day = typeof value === 'string' ? parseMoment(value) : undefined;
  if (!day?.isDay) throw invalidField(at, 'must be a date, such as 2026-03-01');
  return { operator, day: new Date(day.instant).toISOString().slice(0, 10) };
}

function readDays(operator: OperatorTaking<'days'>, value: unknown, at: string): ValueTest {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > MAX_DAYS)
    throw invalidField(at, `must be a number of days from 1 to ${MAX_DAYS}`);
  return { operator, days: value };
}

function scalar(value: unknown, at: string, kind: FieldRefKind): Scalar {
  if (typeof value === 'string') return text(value, at);
  if (typeof value === 'boolean' || isUsableNumber(value)) return kind === 'text' ? String(value) : value;
  throw invalidField(at, 'must be a string, a number, true or false');
}

function isUsableNumber(value: unknown): value is number | ExactNumber {
  return isNumber(value) && value !== Infinity && value !== -Infinity;
}

function text(value: string, at: string): string {
  if (isLonger(value, LONGEST_TEXT))
    throw invalidField(at, `must be at most ${LONGEST_TEXT} characters long`);
  if (!isStorableText(value))
    throw invalidField(at, 'must not contain NUL characters or unpaired surrogates');
  return value;
}

function invalidField(field: string, message: string): DomainError {
  return invalidFields([{ field, message }]);
}
