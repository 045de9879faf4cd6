/** What is wrong with a field of a flow, as answers name it. */
import type { FieldError } from '../../../kernel/domain-error.js';

export function refused(field: string, message: string): FieldError {
  return { field, message };
}
