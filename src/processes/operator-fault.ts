/** What an operator can put right, told in one line. */
import { DomainError } from '../kernel/domain-error.js';

/** The operator's mistake, as one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The line that tells the operator of a fault of theirs; undefined when it is not theirs. */
export function operatorFault(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message;
  if (error instanceof DomainError) return `${error.code}: ${error.detail}`;
  return undefined;
}
