/**
 * Whether anybody still waits for an answer. A request whose time is over has been answered without it; lists and
 * searches that it would still ask for are not read. What changes something goes on: a mail that went out is noted.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '../../kernel/domain-error.js';

const callers = new AsyncLocalStorage<AbortSignal>();

/** Does the work for a caller who goes away when the signal says so. */
export function onBehalfOf<Result>(signal: AbortSignal, work: () => Result): Result {
  return callers.run(signal, work);
}

/** The signal of the caller for whom this runs; undefined where it is nobody's in particular. */
export function callerSignal(): AbortSignal | undefined {
  return callers.getStore();
}

/** @throws DomainError service_unavailable when the caller has been given up. */
export function assertAwaited(): void {
  if (callerSignal()?.aborted)
    throw new DomainError('service_unavailable', 'The request was cancelled before the data was read.', {
      retry_after: 10,
    });
}
