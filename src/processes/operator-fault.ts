/** Formats errors that the operator can fix as one line. */
import { DomainError } from '../kernel/domain-error.js';

/** An operator's mistake, with a one-line message. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The one-line message of an operator's mistake; undefined for any other error. */
export function operatorFault(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message;
  if (error instanceof DomainError) return `${error.code}: ${error.detail}`;
  return undefined;
}
