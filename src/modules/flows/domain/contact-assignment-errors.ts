/**
 * What an update_contact step may set, section 2.3: the standard fields, and properties under any other name. The
 * rules of contacts apply to the values, so a step cannot store what the contacts endpoints would reject.
 */
import { DomainError, type FieldError } from '../../../kernel/domain-error.js';
import { depthOf, isJsonObject } from '../../../kernel/json.js';
import { FIELDS_BY_REQUEST_NAME } from '../../contacts/domain/contact.js';
import { readContactChanges } from '../../contacts/domain/read-contact.js';
import { fieldError } from './field-error.js';

/** Parts of a contact that steps cannot set; as property names they would be misleading. */
const NOT_SETTABLE = new Set([
  'id',
  'external_id',
  'user_id',
  'subscription_status',
  'tags',
  'add_tags',
  'remove_tags',
  '$add_tags',
  '$remove_tags',
  'created_at',
  'updated_at',
]);
const MAX_VALUE_DEPTH = 10;

/**
 * All errors of the step's `set`.
 * @param field name of the field in errors, such as `steps[0].set`.
 */
export function assignmentErrors(set: unknown, field: string): readonly FieldError[] {
  if (!isJsonObject(set)) return [fieldError(field, 'must be an object of contact fields and properties')];
  const names = Object.keys(set);
  if (names.length === 0) return [fieldError(field, 'must set at least one field')];
  if (depthOf(set, MAX_VALUE_DEPTH) > MAX_VALUE_DEPTH)
    return [fieldError(field, `must not be nested deeper than ${MAX_VALUE_DEPTH}`)];
  const notSettable = names.filter((name) => NOT_SETTABLE.has(name));
  if (notSettable.length > 0)
    return notSettable.map((name) => fieldError(`${field}.${name}`, 'cannot be set by a step'));

  const { properties, ...rest } = set;
  const fields = Object.entries(rest);
  const changes = fields.filter(([name]) => FIELDS_BY_REQUEST_NAME.has(name));
  const others = fields.filter(([name]) => !FIELDS_BY_REQUEST_NAME.has(name));
  return [
    ...errorsOf(Object.fromEntries(changes), field),
    ...propertyErrors(Object.fromEntries(others), field),
    ...(properties === undefined ? [] : propertyErrors(properties, `${field}.properties`)),
  ];
}

/** The errors of single properties, each with its name; if there are none, the errors of all properties together. */
function propertyErrors(properties: unknown, field: string): readonly FieldError[] {
  const each = Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([name, value]) =>
    errorsOf({ properties: { [name]: value } }, '').map(({ message }) =>
      fieldError(`${field}.${name}`, message),
    ),
  );
  if (each.length > 0) return each;
  return errorsOf({ properties }, '').map(({ message }) => fieldError(field, message));
}

function errorsOf(changes: Readonly<Record<string, unknown>>, field: string): readonly FieldError[] {
  try {
    readContactChanges(changes, field === '' ? '' : `${field}.`);
    return [];
  } catch (error) {
    if (error instanceof DomainError && error.fields.errors) return error.fields.errors;
    throw error;
  }
}
