/** Limits each tenant's share of connections for reads, so that one tenant's queries do not block another's. */
import { DomainError } from '../../kernel/domain-error.js';
import { assertCallerWaiting, callerSignal } from './caller-signal.js';
import type { FairSemaphore } from './fair-semaphore.js';

/** Seconds after which a rejected read may be retried. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Reads when a share for the workspace is free.
 * @throws DomainError service_unavailable if none becomes free in time, or if the caller no longer waits by then.
 */
export async function withPermit<Result>(
  semaphore: FairSemaphore,
  workspaceId: string,
  read: () => Promise<Result>,
): Promise<Result> {
  const release = await semaphore.acquire(workspaceId, callerSignal());
  try {
    assertCallerWaiting();
    if (release) return await read();
  } finally {
    release?.();
  }
  throw new DomainError(
    'service_unavailable',
    'The workspace has too many requests in progress: try again with fewer at the same time.',
    { retry_after: RETRY_AFTER_SECONDS },
  );
}
