/** What an update_contact step sets, section 2.3: standard fields by their names, everything else as properties. */
import { isJsonObject } from '../../../kernel/json.js';
import {
  FIELDS_BY_REQUEST_NAME,
  type ContactChanges,
  type StandardField,
} from '../../contacts/domain/contact.js';

/**
 * Reads the step's `set`: the name of a standard field sets that field, `properties` is merged key by key, and any
 * other name is a property (also written `properties.name`). A null clears. Validation on save ensures that a
 * standard field is a string or null.
 */
export function contactAssignments(set: Readonly<Record<string, unknown>>): ContactChanges {
  let changes = changesBySet.get(set);
  if (!changes) changesBySet.set(set, (changes = parseAssignments(set)));
  return changes;
}

/** Returns the same object for the same step, so that its size is only computed once. */
const changesBySet = new WeakMap<Readonly<Record<string, unknown>>, ContactChanges>();

function parseAssignments(set: Readonly<Record<string, unknown>>): ContactChanges {
  const fields: Partial<Record<StandardField, string | null>> = {};
  const properties: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(set)) {
    const field = FIELDS_BY_REQUEST_NAME.get(name);
    if (name === 'properties' && isJsonObject(value)) Object.assign(properties, value);
    else if (field) fields[field] = typeof value === 'string' ? value : null;
    else properties[name.startsWith('properties.') ? name.slice('properties.'.length) : name] = value;
  }
  return Object.keys(properties).length > 0 ? { ...fields, properties } : fields;
}
