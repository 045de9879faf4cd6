/** Reading in a tenant's turn, so that no tenant's questions, however many, keep another's waiting for a connection. */
import { DomainError } from '../../kernel/domain-error.js';
import { assertAwaited, callerSignal } from './caller-signal.js';
import type { Shares } from './shares.js';

/** Seconds after which what was refused may be asked for again. */
const RETRY_AFTER = 10;

/**
 * Reads when it is the workspace's turn.
 * @throws DomainError service_unavailable when the turn does not come in time, or comes when nobody waits any more.
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
