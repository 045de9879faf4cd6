/**
 * What a failure says of the work that failed. What lasts is mended by no repetition: the batch is halved until the
 * row that causes it stands alone.
 */
import { DomainError } from '../../../kernel/domain-error.js';
import { codeOf, isUnreachable } from '../../../platform/database/database.js';
import type { SetAsideCode } from '../domain/set-aside-work.js';

export type Failure =
  /** The database cannot be reached, or can write nothing: nothing is known of the work, and nothing can be stored about it. */
  | { readonly kind: 'unreachable' }
  /** May be over the next time. */
  | { readonly kind: 'passing' }
  /** There may be too much of it at a time: a smaller batch may pass; a row alone is as one that fails passingly. */
  | { readonly kind: 'large' }
  /** Will be the same the next time. */
  | { readonly kind: 'lasting'; readonly code: SetAsideCode };

/** Thrown by whoever finds that a batch asks for too much at a time, of a batch of more than one row. */
export class BatchTooLarge extends Error {}

/** Thrown of a row alone with which process after process has ended. */
export class WorkerDied extends Error {}

/**
 * Sorts what was thrown. A statement that was cut for its time and a lack of memory are halved first; deadlocks,
 * failed serializations and other shortages pass; values that PostgreSQL or JavaScript cannot hold, and our own
 * mistakes, last. What nobody foresaw passes too, and comes to an end by patience.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof BatchTooLarge) return { kind: 'large' };
  if (error instanceof WorkerDied) return { kind: 'lasting', code: 'worker_died' };
  if (error instanceof DomainError) return { kind: 'lasting', code: 'refused_by_rules' };
  if (isUnreachable(error)) return { kind: 'unreachable' };
  // Too long a text, too deep a recursion.
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

/** The reason under which a row is set aside whose failure was taken for passing until patience ended. */
export function reasonAfterPatience(error: unknown): SetAsideCode {
  return codeOf(error) === '57014' ? 'took_too_long' : 'kept_failing';
}

/** The reason under which work that failed so is set aside; undefined for what may pass, while one is patient. */
export function lastingReasonOf(error: unknown, isPatient: boolean): SetAsideCode | undefined {
  const failure = failureOf(error);
  if (failure.kind === 'lasting') return failure.code;
  return isPatient || failure.kind === 'unreachable' ? undefined : reasonAfterPatience(error);
}
