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
  type Face,
  type Flaw,
  type InputClass,
  type InputField,
  type Place,
} from './input-table.js';

/** Maximum errors to report; a body could contain a million. */
const MOST_ERRORS = 100;

/**
 * Parses one input.
 * @param value the raw value: fields in snake_case in REST, in camelCase in GraphQL.
 * @returns an object of the class with the given members.
 * @throws DomainError validation_error if it is not an object or lacks a required field; invalid_email; invalid_field.
 */
export function readInput<Input extends object>(
  inputClass: InputClass<Input>,
  value: unknown,
  face: Face,
): Input {
  const { rules } = tableOf(inputClass.prototype as object);
  const given = value === undefined && rules.mayBeAbsent ? {} : value;
  if (!isJsonObject(given)) throw new DomainError('validation_error', 'The body must be a JSON object.');
  const flaws: Flaw[] = [];
  const input = readMembers(inputClass, given, { face, path: '', flaws });
  if (flaws.length > 0) throw refusalOf(flaws.slice(0, MOST_ERRORS));
  return input;
}

/** As readInput, for a nested object. Reports its errors to the place. */
export function readNested<Input extends object>(
  inputClass: InputClass<Input>,
  value: unknown,
  place: Place,
): Input | undefined {
  if (isJsonObject(value)) return readMembers(inputClass, value, place);
  refuse(place, 'must be an object');
  return undefined;
}

export function refuse({ path, flaws }: Place, message: string, kind: Flaw['kind'] = 'other'): void {
  flaws.push({ field: path, message, kind });
}

/** The place of a member by its correct name, or of a list item by its index. */
export function within(place: Place, name: string, isIndex = false): Place {
  if (isIndex) return { ...place, path: `${place.path}[${name}]` };
  return { ...place, path: place.path === '' ? name : `${place.path}.${name}` };
}

/** Whether there are already too many errors to report more. */
export function isFull({ flaws }: Place): boolean {
  return flaws.length >= MOST_ERRORS;
}

/**
 * As `refuse`, for a parser that throws. Its error is returned unchanged if nothing else is invalid; otherwise its code
 * is used if it has its own.
 */
export function refuseAs(refusal: DomainError, { flaws }: Place): void {
  for (const error of refusal.fields.errors ?? []) flaws.push({ ...error, kind: 'other', refusal });
}

function readMembers<Input extends object>(
  inputClass: InputClass<Input>,
  given: JsonObject,
  place: Place,
): Input {
  const { face } = place;
  const { fields, rules } = tableOf(inputClass.prototype as object);
  const other = face === 'graphql' ? 'rest' : 'graphql';
  const missing = new Map(
    [...fields.values()]
      .filter(({ only }) => only !== other)
      .map((field) => [spelled(face, field.member), field]),
  );
  const input = new inputClass();
  const before = place.flaws.length;
  for (const [name, written] of Object.entries(given)) {
    if (isFull(place)) break;
    const field = missing.get(name);
    const isNullAbsent = field?.nullIsAbsent || (rules.nullIsAbsent && face === 'graphql');
    if (written === undefined || (written === null && isNullAbsent)) continue;
    if (!field) {
      refuse(within(place, name), rules.unknownField(name));
      continue;
    }
    missing.delete(name);
    const value = face === 'query' ? valueIn(field, written) : written;
    Object.assign(input, { [field.member]: field.read(value, within(place, name)) });
  }
  for (const [name, { member, isRequired, fallback }] of missing) {
    // Only the top-level input can lack a field; a nested object that lacks one is present but invalid.
    if (isRequired) refuse(within(place, name), 'is required', place.path === '' ? 'missing' : 'other');
    if (fallback !== undefined) Object.assign(input, { [member]: fallback });
  }
  if (place.flaws.length === before)
    for (const { member, message } of rules.together(input, face))
      refuse(within(place, spelled(face, member)), message);
  return input;
}

/** Parses the text of a query string for a field. */
function valueIn({ isNumber, isFlag }: InputField, text: unknown): unknown {
  if (isFlag) return text === 'true' ? true : text === 'false' ? false : text;
  return isNumber ? numberIn(text) : text;
}

/** Parses a text as a number; returns the text if it is not one. */
function numberIn(text: unknown): unknown {
  if (typeof text !== 'string' || text.trim() === '') return text;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

function refusalOf(flaws: readonly Flaw[]): DomainError {
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
