/** Waits for a permit, until a timeout or until the signal aborts. */
import type { Permit, FairQueue } from './fair-queue.js';

/** Why there was no permit: too many are waiting, the wait timed out, or the signal aborted it. */
export type PermitFailure = 'full' | 'late' | 'aborted';

export interface PermitRequest {
  readonly owner: string;
  /** Bytes that the work holds while it waits. */
  readonly bytes?: number;
  /** Maximum wait in milliseconds of real time. */
  readonly maxWaitMs: number;
  readonly signal?: AbortSignal;
  /** Called when it starts to wait, and not if a permit is free. */
  readonly onWaiting?: () => void;
}

/**
 * @returns the permit, which the caller must release; or the reason why there is none, and then nothing remains queued.
 */
export async function acquirePermit(
  queue: FairQueue,
  { owner, bytes = 0, maxWaitMs: maxWaitMs, signal, onWaiting }: PermitRequest,
): Promise<Permit | PermitFailure> {
  if (signal?.aborted) return 'aborted';
  let isGranted = false;
  let onGranted = (): void => undefined;
  const permit = queue.request(owner, bytes, () => {
    isGranted = true;
    onGranted();
  });
  if (!permit) return 'full';
  // Usually a permit is free.
  if (isGranted) return permit;
  onWaiting?.();
  return new Promise((resolve) => {
    const settle = (outcome: Permit | PermitFailure): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      if (outcome !== permit) permit.release();
      resolve(outcome);
    };
    const abort = (): void => settle('aborted');
    const timer = setTimeout(() => settle('late'), maxWaitMs);
    signal?.addEventListener('abort', abort, { once: true });
    onGranted = () => settle(permit);
  });
}

export function isPermit(outcome: Permit | PermitFailure): outcome is Permit {
  return typeof outcome !== 'string';
}
