/**
 * Limits concurrent work, in total and per owner. Callers wait for a permit in a fair, bounded queue, until a timeout
 * or until a signal aborts the wait.
 */
import { FairQueue, type OwnerOrder, type Permit } from './fair-queue.js';

export interface SemaphoreLimits {
  /** Maximum concurrent permits, in total and of one owner. */
  readonly maxPermits: number;
  readonly maxPerOwner: number;
  /** Maximum waiting callers, in total and of one owner. Unlimited by default in total, zero per owner. */
  readonly maxWaiting?: number;
  readonly maxWaitingPerOwner?: number;
  /** Maximum bytes held by waiting callers, in total and of one owner. Unlimited by default. */
  readonly maxWaitingBytes?: number;
  readonly maxWaitingBytesPerOwner?: number;
  /** Maximum wait in milliseconds of real time. Unlimited by default. */
  readonly maxWaitMs?: number;
  /** `in_turn` by default. */
  readonly order?: OwnerOrder;
}

/** Why there was no permit: too many are waiting, the wait timed out, or the signal aborted it. */
export type PermitFailure = 'full' | 'late' | 'aborted';

export interface AcquireOptions {
  /** Bytes that the caller holds while it waits. */
  readonly bytes?: number;
  readonly signal?: AbortSignal | undefined;
}

export class FairSemaphore {
  private readonly queue: FairQueue;

  constructor(private readonly limits: SemaphoreLimits) {
    const { maxPermits, maxPerOwner, maxWaiting = Infinity, maxWaitingPerOwner = 0 } = limits;
    const { maxWaitingBytes = Infinity, maxWaitingBytesPerOwner = Infinity } = limits;
    this.queue = new FairQueue(
      { running: maxPermits, waiting: maxWaiting, waitingBytes: maxWaitingBytes },
      { running: maxPerOwner, waiting: maxWaitingPerOwner, waitingBytes: maxWaitingBytesPerOwner },
      limits.order,
    );
  }

  /** The number of permits that are held. */
  get running(): number {
    return this.queue.running;
  }

  /** The number of callers that wait. */
  get waiting(): number {
    return this.queue.waiting;
  }

  /** The number of permits that the owner holds. */
  heldBy(owner: string): number {
    return this.queue.runningOf(owner);
  }

  /** Takes a permit if one is free. */
  tryAcquire(owner: string): Permit | undefined {
    return this.queue.tryStart(owner);
  }

  /**
   * Takes a permit as soon as one is free.
   * @returns the permit, which the caller must release; or the reason why there is none. Then nothing remains queued.
   */
  async acquire(owner: string, { bytes = 0, signal }: AcquireOptions = {}): Promise<Permit | PermitFailure> {
    if (signal?.aborted) return 'aborted';
    let isGranted = false;
    let onGranted = (): void => undefined;
    const permit = this.queue.request(owner, bytes, () => {
      isGranted = true;
      onGranted();
    });
    if (!permit) return 'full';
    if (isGranted) return permit;
    const { maxWaitMs } = this.limits;
    return new Promise((resolve) => {
      const settle = (outcome: Permit | PermitFailure): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        if (outcome !== permit) permit.release();
        resolve(outcome);
      };
      const abort = (): void => settle('aborted');
      const timer = maxWaitMs === undefined ? undefined : setTimeout(() => settle('late'), maxWaitMs);
      signal?.addEventListener('abort', abort, { once: true });
      onGranted = () => settle(permit);
    });
  }
}

export function isPermit(outcome: Permit | PermitFailure): outcome is Permit {
  return typeof outcome !== 'string';
}
