/**
 * Parses input against its class, section 7.2. Unknown fields are rejected by name. A missing field returns 400, an
 * invalid one 422, a malformed email 400 `invalid_email`. A list or filter whose error has its own code returns that
 * code, whatever else is invalid. All errors are reported together, under the names that the caller used.
 */
import { DomainError, invalidFields, listErrors, type FieldError } from '../../kernel/domain-error.js';
import { isJsonObject, type JsonObject } from '../../kernel/json.js';
import {
  spelled,
  tableOf,
  type InputSource,
  type Flaw,
  type InputClass,
  type InputField,
  type InputContext,
} from './input-table.js';

/** Maximum errors to report; a body could contain a million. */
const MAX_ERRORS = 100;

/**
 * Parses one input.
 * @param value the raw value: fields in snake_case in REST, in camelCase in GraphQL.
 * @returns an object of the class with the given members.
 * @throws DomainError validation_error if it is not an object or lacks a required field; invalid_email; invalid_field.
 */
export function readInput<Input extends object>(
  inputClass: InputClass<Input>,
  value: unknown,
  source: InputSource,
): Input {
  const { rules } = tableOf(inputClass.prototype as object);
  const given = value === undefined && rules.mayBeAbsent ? {} : value;
  if (!isJsonObject(given)) throw new DomainError('validation_error', 'The body must be a JSON object.');
  const flaws: Flaw[] = [];
  const input = readMembers(inputClass, given, { source, path: '', flaws });
  if (flaws.length > 0) throw errorOf(flaws.slice(0, MAX_ERRORS));
  return input;
}

/** As readInput, for a nested object. Reports its errors to the place. */
export function readNested<Input extends object>(
  inputClass: InputClass<Input>,
  value: unknown,
  context: InputContext,
): Input | undefined {
  if (isJsonObject(value)) return readMembers(inputClass, value, context);
  refuse(context, 'must be an object');
  return undefined;
}

export function refuse({ path, flaws }: InputContext, message: string, kind: Flaw['kind'] = 'other'): void {
  flaws.push({ field: path, message, kind });
}

/** The place of a member by its correct name, or of a list item by its index. */
export function nestedContext(context: InputContext, name: string, isIndex = false): InputContext {
  if (isIndex) return { ...context, path: `${context.path}[${name}]` };
  return { ...context, path: context.path === '' ? name : `${context.path}.${name}` };
}

/** Whether there are already too many errors to report more. */
export function isFull({ flaws }: InputContext): boolean {
  return flaws.length >= MAX_ERRORS;
}

/**
 * As `refuse`, for a parser that throws. Its error is returned unchanged if nothing else is invalid; otherwise its code
 * is used if it has its own.
 */
export function refuseAs(refusal: DomainError, { flaws }: InputContext): void {
  for (const error of refusal.fields.errors ?? []) flaws.push({ ...error, kind: 'other', refusal });
}

function readMembers<Input extends object>(
  inputClass: InputClass<Input>,
  given: JsonObject,
  context: InputContext,
): Input {
  const { source: face } = context;
  const { fields, rules } = tableOf(inputClass.prototype as object);
  const other = face === 'graphql' ? 'rest' : 'graphql';
  const missing = new Map(
    [...fields.values()]
      .filter(({ only }) => only !== other)
      .map((field) => [spelled(face, field.member), field]),
  );
  const input = new inputClass();
  const before = context.flaws.length;
  for (const [name, raw] of Object.entries(given)) {
    if (isFull(context)) break;
    const field = missing.get(name);
    const isNullAbsent = field?.nullIsAbsent || (rules.nullIsAbsent && face === 'graphql');
    if (raw === undefined || (raw === null && isNullAbsent)) continue;
    if (!field) {
      refuse(nestedContext(context, name), rules.unknownField(name));
      continue;
    }
    missing.delete(name);
    const value = face === 'query' ? queryValue(field, raw) : raw;
    Object.assign(input, { [field.member]: field.read(value, nestedContext(context, name)) });
  }
  for (const [name, { member, isRequired, fallback }] of missing) {
    // Only the top-level input can lack a field; a nested object that lacks one is present but invalid.
    if (isRequired)
      refuse(nestedContext(context, name), 'is required', context.path === '' ? 'missing' : 'other');
    if (fallback !== undefined) Object.assign(input, { [member]: fallback });
  }
  if (context.flaws.length === before)
    for (const { member, message } of rules.together(input, face))
      refuse(nestedContext(context, spelled(face, member)), message);
  return input;
}

/** Parses the text of a query string for a field. */
function queryValue({ isNumber, isFlag }: InputField, text: unknown): unknown {
  if (isFlag) return text === 'true' ? true : text === 'false' ? false : text;
  return isNumber ? numberOrText(text) : text;
}

/** Parses a text as a number; returns the text if it is not one. */
function numberOrText(text: unknown): unknown {
  if (typeof text !== 'string' || text.trim() === '') return text;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

function errorOf(flaws: readonly Flaw[]): DomainError {
  const own = flaws.find(({ refusal }) => refusal && refusal.code !== 'invalid_field')?.refusal;
  const whole = own ?? flaws[0]?.refusal;
  if (whole && flaws.every(({ refusal }) => refusal === whole)) return whole;
  const errors = flaws.map(({ field, message }) => ({ field, message }));
  if (own) return withErrors(own.code, errors);
  if (flaws.every(({ kind }) => kind === 'missing')) return withErrors('validation_error', errors);
  if (flaws.every(({ kind }) => kind === 'email')) return withErrors('invalid_email', errors);
  return invalidFields(errors);
}

function withErrors(code: DomainError['code'], errors: readonly FieldError[]): DomainError {
  return new DomainError(code, listErrors(errors), { errors });
}
