/**
 * Concurrency limits for outgoing requests: per process, per workspace and per host, so that neither we nor a tenant
 * through us overloads a host, and no workspace uses all of our capacity.
 */
import { acquirePermit, isPermit } from '../threads/acquire-permit.js';
import { FairQueue, type FairQueueLimits } from '../threads/fair-queue.js';
import { OutboundError } from './outbound-error.js';

export interface RequestLimits {
  /** Maximum concurrent requests, in total and per owner. */
  readonly running: number;
  readonly runningPerOwner: number;
  /** Maximum waiting requests, in total and per owner. */
  readonly waiting: number;
  readonly waitingPerOwner: number;
  /** Maximum wait in milliseconds of real time. */
  readonly maxWaitMs: number;
}

/** A semaphore with a queue; owners take turns. */
export class RequestLimiter {
  private readonly queue: FairQueue;

  constructor(private readonly limits: RequestLimits) {
    const { running, runningPerOwner: runningPerOwner, waiting, waitingPerOwner: waitingPerOwner } = limits;
    this.queue = new FairQueue(
      withoutBytes(running, waiting),
      withoutBytes(runningPerOwner, waitingPerOwner),
    );
  }

  /** Whether it has no running and no waiting requests. */
  get isIdle(): boolean {
    return this.queue.running === 0 && this.queue.waiting === 0;
  }

  /**
   * Waits for a permit.
   * @returns a function that releases the permit; further calls do nothing.
   * @throws OutboundError busy, aborted.
   */
  async acquire(owner: string, signal: AbortSignal): Promise<() => void> {
    const permit = await acquirePermit(this.queue, { owner, maxWaitMs: this.limits.maxWaitMs, signal });
    if (isPermit(permit)) return () => permit.release();
    if (permit === 'aborted') throw new OutboundError('aborted', 'The wait was cancelled.');
    throw new OutboundError(
      'busy',
      permit === 'full'
        ? 'Too many requests are already waiting.'
        : 'The request waited too long for its turn.',
    );
  }
}

/** A semaphore per name; idle ones are discarded. */
export class RequestLimiters {
  private readonly limiters = new Map<string, RequestLimiter>();

  constructor(private readonly limits: RequestLimits) {}

  /** As Line.turn, on the semaphore with this name. */
  async acquire(name: string, owner: string, signal: AbortSignal): Promise<() => void> {
    const limiter = this.limiters.get(name) ?? new RequestLimiter(this.limits);
    this.limiters.set(name, limiter);
    const discardIdle = (): void => {
      if (limiter.isIdle) this.limiters.delete(name);
    };
    try {
      const release = await limiter.acquire(owner, signal);
      return () => {
        release();
        discardIdle();
      };
    } catch (error) {
      discardIdle();
      throw error;
    }
  }
}

function withoutBytes(running: number, waiting: number): FairQueueLimits {
  return { running, waiting, waitingBytes: 0 };
}
