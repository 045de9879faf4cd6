/**
 * Reads input against its class, section 7.2: unknown fields are refused by name, a missing one answers 400, a wrong one
 * 422, a malformed email 400 `invalid_email`. All that is wrong is told at once, under the names that the caller wrote.
 */
import { DomainError, invalidFields, type FieldError } from '../../kernel/domain-error.js';
import { isJsonObject } from '../../kernel/json.js';
import { spelled, tableOf, type Face, type InputClass, type InputField } from './input-table.js';

type Flaw = FieldError & { readonly kind: 'missing' | 'email' | 'other' };

/** Errors told at once: a body has room for a million. */
const MOST_ERRORS = 100;

/**
 * Reads one input.
 * @param value as the face has it: fields in snake_case in REST, in camelCase in GraphQL.
 * @returns an object of the class, with the members that were given.
 * @throws DomainError validation_error for what is no object, or lacks a required field; invalid_email; invalid_field.
 */
export function readInput<Input extends object>(
  inputClass: InputClass<Input>,
  value: unknown,
  face: Face,
): Input {
  const { fields, rules } = tableOf(inputClass.prototype as object);
  const given = value === undefined && rules.mayBeAbsent ? {} : value;
  if (!isJsonObject(given)) throw new DomainError('validation_error', 'The body must be a JSON object.');
  const other = face === 'graphql' ? 'rest' : 'graphql';
  const missing = new Map(
    fields.filter(({ only }) => only !== other).map((field) => [spelled(face, field.member), field]),
  );
  const input = new inputClass();
  const flaws: Flaw[] = [];
  for (const [name, written] of Object.entries(given)) {
    if (flaws.length === MOST_ERRORS) break;
    const field = missing.get(name);
    if (!field) {
      if (written !== undefined)
        flaws.push({ field: name, message: rules.unknownField(name), kind: 'other' });
      continue;
    }
    if (written === undefined || (written === null && rules.nullIsAbsent && face === 'graphql')) continue;
    missing.delete(name);
    const read = face === 'query' && field.isNumber ? numberIn(written) : written;
    const flaw = flawOf(field, name, read);
    if (flaw) flaws.push(flaw);
    else Object.assign(input, { [field.member]: read });
  }
  for (const [name, { isRequired }] of missing)
    if (isRequired) flaws.push({ field: name, message: 'is required', kind: 'missing' });
  if (flaws.length > 0) throw refusalOf(flaws);
  return input;
}

function flawOf(field: InputField, name: string, value: unknown): Flaw | undefined {
  const message = field.check(value);
  return message === undefined
    ? undefined
    : { field: name, message, kind: field.isEmail && typeof value === 'string' ? 'email' : 'other' };
}

/** The number that a text of an address stands for; else the text, which then is none. */
function numberIn(text: unknown): unknown {
  if (typeof text !== 'string' || text.trim() === '') return text;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

function refusalOf(flaws: readonly Flaw[]): DomainError {
  const errors = flaws.map(({ field, message }) => ({ field, message }));
  if (flaws.every(({ kind }) => kind === 'missing')) return withErrors('validation_error', errors);
  if (flaws.every(({ kind }) => kind === 'email')) return withErrors('invalid_email', errors);
  return invalidFields(errors);
}

function withErrors(code: 'validation_error' | 'invalid_email', errors: readonly FieldError[]): DomainError {
  const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new DomainError(code, detail, { errors });
}
