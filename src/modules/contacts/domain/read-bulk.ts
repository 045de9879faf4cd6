/** Reads the body of POST /v1/contacts/bulk as a whole; its items are read one by one, section 4.10. */
import { DomainError, invalidFields, missingField } from '../../../kernel/domain-error.js';
import { flawOf, isJsonObject, OUT_OF_RANGE } from '../../../kernel/json.js';
import { type ContactInput, readContact } from './read-contact.js';

export const MAX_BULK_CONTACTS = 1_000;
export const ON_CONFLICT = ['merge', 'replace', 'update'] as const;

export interface BulkRequest {
  readonly contacts: readonly unknown[];
  /** `update` is a deprecated alias of `merge`. */
  readonly onConflict: 'merge' | 'replace';
}

/**
 * Reads the request.
 * @throws DomainError validation_error without contacts, invalid_field for a wrong number of them, another
 *   on_conflict, or an unknown field.
 */
export function readBulk(input: unknown): BulkRequest {
  if (!isJsonObject(input)) throw new DomainError('validation_error', 'The body must be a JSON object.');
  const { contacts, on_conflict: onConflict = 'merge', ...others } = input;
  const unknown = Object.keys(others).map((field) => ({ field, message: 'is not a known field' }));
  if (unknown.length > 0) throw invalidFields(unknown);
  if (contacts === undefined) throw missingField('contacts');
  if (!Array.isArray(contacts) || contacts.length < 1 || contacts.length > MAX_BULK_CONTACTS)
    throw invalidFields([
      { field: 'contacts', message: `must be a list of 1 to ${MAX_BULK_CONTACTS} contacts` },
    ]);
  if (!ON_CONFLICT.includes(onConflict as (typeof ON_CONFLICT)[number]))
    throw invalidFields([{ field: 'on_conflict', message: `must be ${ON_CONFLICT.join(' or ')}` }]);
  return { contacts, onConflict: onConflict === 'replace' ? 'replace' : 'merge' };
}

/**
 * Reads one of the items, which has not been checked before.
 * @throws DomainError as `readContact`; validation_error for poisoned keys and too deep nesting.
 */
export function readBulkItem(input: unknown): ContactInput {
  const flaw = flawOf(input);
  // The reader rejects such a number itself, and names the field.
  if (flaw !== undefined && flaw !== OUT_OF_RANGE)
    throw new DomainError('validation_error', `The contact ${flaw}.`);
  return readContact(input);
}
