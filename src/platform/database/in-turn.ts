/** Limits each tenant's share of connections for reads, so that one tenant's queries do not block another's. */
import { DomainError } from '../../kernel/domain-error.js';
import { assertAwaited, callerSignal } from './caller-signal.js';
import type { Shares } from './shares.js';

/** Seconds after which a rejected read may be retried. */
const RETRY_AFTER = 10;

/**
 * Reads when a share for the workspace is free.
 * @throws DomainError service_unavailable if none becomes free in time, or if the caller no longer waits by then.
 */
export async function inTurn<Result>(
  shares: Shares,
  workspaceId: string,
  read: () => Promise<Result>,
): Promise<Result> {
  const end = await shares.wait(workspaceId, callerSignal());
  try {
    assertAwaited();
    if (end) return await read();
  } finally {
    end?.();
  }
  throw new DomainError(
    'service_unavailable',
    'The workspace has too many requests in progress: try again with fewer at the same time.',
    { retry_after: RETRY_AFTER },
  );
}
