/** Limits each tenant's share of connections for reads, so that one tenant's queries do not block another's. */
import { DomainError } from '../../kernel/domain-error.js';
import { type FairSemaphore, isPermit } from '../concurrency/fair-semaphore.js';
import { assertCallerWaiting, callerSignal } from './caller-signal.js';

/** Seconds after which a rejected read may be retried. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Works while it holds one of the workspace's permits.
 * @param tooBusy the error if none becomes free in time; service_unavailable by default.
 * @throws DomainError `tooBusy`; service_unavailable if the caller no longer waits.
 */
export async function withPermit<Result>(
  semaphore: FairSemaphore,
  workspaceId: string,
  work: () => Promise<Result>,
  tooBusy: () => DomainError = tooManyRequests,
): Promise<Result> {
  const permit = await semaphore.acquire(workspaceId, { signal: callerSignal() });
  if (!isPermit(permit)) {
    assertCallerWaiting();
    throw tooBusy();
  }
  try {
    assertCallerWaiting();
    return await work();
  } finally {
    permit.release();
  }
}

function tooManyRequests(): DomainError {
  return new DomainError(
    'service_unavailable',
    'The workspace has too many requests in progress: try again with fewer at the same time.',
    { retry_after: RETRY_AFTER_SECONDS },
  );
}
