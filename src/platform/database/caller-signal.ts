/**
 * Tracks whether the caller still waits for a response. A request that timed out has already been answered, so further
 * lists and searches for it are not read. Changes still complete: a message that was sent is recorded.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '../../kernel/domain-error.js';

const callerStorage = new AsyncLocalStorage<AbortSignal>();

/** Runs work for a caller that stops waiting when the signal aborts. */
export function withCallerSignal<Result>(signal: AbortSignal, work: () => Result): Result {
  return callerStorage.run(signal, work);
}

/** The signal of the current caller; undefined for work that has no caller. */
export function callerSignal(): AbortSignal | undefined {
  return callerStorage.getStore();
}

/** @throws DomainError service_unavailable if the caller no longer waits. */
export function assertCallerWaiting(): void {
  if (callerSignal()?.aborted)
    throw new DomainError('service_unavailable', 'The request was cancelled before the data was read.', {
      retry_after: 10,
    });
}
