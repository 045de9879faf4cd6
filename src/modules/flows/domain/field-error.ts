/** Errors in a field of a flow, as responses show them. */
import type { FieldError } from '../../../kernel/domain-error.js';

export function fieldError(field: string, message: string): FieldError {
  return { field, message };
}
