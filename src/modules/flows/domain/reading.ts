/** What reading input gives: the value, or every field that is wrong. Section 7: 422 names them all. */
import type { FieldError } from '../../../kernel/domain-error.js';

export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** The reading of a value that is complete only when there are no errors. */
export function reading<Value>(value: Value, errors: readonly FieldError[]): Reading<Value> {
  return errors.length === 0 ? { ok: true, value } : { ok: false, errors };
}

export function refused(field: string, message: string): FieldError {
  return { field, message };
}
