/**
 * Classifies what a failure says about the work that failed. No retry fixes a permanent failure, so its batch is halved
 * until the row that causes it is isolated.
 */
import { DomainError } from '../../../kernel/domain-error.js';
import { codeOf, isUnreachable } from '../../../platform/database/database.js';
import type { DeadLetterCode } from '../domain/dead-letter.js';

export type Failure =
  /**
   * The database cannot be reached or cannot write. Nothing is known of the work, and nothing can be stored about it.
   */
  | { readonly kind: 'unreachable' }
  /** May succeed the next time. */
  | { readonly kind: 'passing' }
  /**
   * The batch may be too large, and a smaller one may succeed. For a single row, the failure is treated as transient.
   */
  | { readonly kind: 'large' }
  /** Will fail the same way the next time. */
  | { readonly kind: 'lasting'; readonly code: DeadLetterCode };

/** Thrown by code that finds a batch of more than one row too large. */
export class BatchTooLargeError extends Error {}

/** Thrown for a single row with which several processes in succession have died. */
export class WorkerDiedError extends Error {}

/**
 * Classifies an error. After a statement timeout or a lack of memory, the batch is halved first. Deadlocks,
 * serialization failures and other shortages are transient. Values that PostgreSQL or JavaScript cannot represent, and
 * our own bugs, are permanent. Any other error counts as transient, and the retry policy ends it.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof BatchTooLargeError) return { kind: 'large' };
  if (error instanceof WorkerDiedError) return { kind: 'lasting', code: 'worker_died' };
  if (error instanceof DomainError) return { kind: 'lasting', code: 'refused_by_rules' };
  if (isUnreachable(error)) return { kind: 'unreachable' };
  // The text is too long, or the recursion too deep.
  if (error instanceof RangeError) return { kind: 'lasting', code: 'value_too_large' };
  if (error instanceof SyntaxError) return { kind: 'lasting', code: 'value_refused' };
  if (error instanceof TypeError || error instanceof ReferenceError)
    return { kind: 'lasting', code: 'product_fault' };
  const code = codeOf(error);
  // Statement timeout, out of memory.
  if (code === '57014' || code === '53200') return { kind: 'large' };
  switch (code.slice(0, 2)) {
    case '54':
      return { kind: 'lasting', code: 'value_too_large' };
    case '22':
    case '2F':
    case '38':
    case 'P0':
      return { kind: 'lasting', code: 'value_refused' };
    case '21':
    case '23':
    case '44':
      return { kind: 'lasting', code: 'value_conflicts' };
    default:
      return { kind: 'passing' };
  }
}

/** The reason of the dead letter for a row whose failure was treated as transient until its retries were exhausted. */
export function reasonWhenExhausted(error: unknown): DeadLetterCode {
  return codeOf(error) === '57014' ? 'took_too_long' : 'kept_failing';
}

/**
 * The reason of the dead letter for work that failed with this error; undefined for what may be transient while
 * `mayRetry`.
 */
export function permanentReasonOf(error: unknown, mayRetry: boolean): DeadLetterCode | undefined {
  const failure = failureOf(error);
  if (failure.kind === 'lasting') return failure.code;
  return mayRetry || failure.kind === 'unreachable' ? undefined : reasonWhenExhausted(error);
}
